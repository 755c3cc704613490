// One fault under one command: what it writes, how it ends, and whether its words are those of a window.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../src/base/json.ts';
import { type ExitCode, exitCodes } from '../../src/program/commandLine/command.ts';
import { runHere } from '../support/runHere.ts';
import type { Fault } from './answers.ts';
import { commandFiles, type FaultedCommand } from './commands.ts';
import { openFaultyWorld } from './faultyWorld.ts';

export interface CommandCell {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  readonly sent: readonly string[];
  readonly broken: readonly string[];
}

/** After so many a person presses Ctrl+C. */
const maximumLosses = 5;
const lost = /^The connection was lost\. Connecting again in \d+ s\.$/;
/** What only commands say, since only they find a workflow by its name, or wait for an execution that they started. */
const ofCommands = [
  /^No workflow has the name or ID "wf_1"\.$/,
  /^Several workflows are named "wf_1"\./,
  /^The execution was started, but it can't be told which one it is\.$/,
  /^The execution hasn't ended, so it has no output yet\.$/,
  /^No longer followed\. The execution \S+ goes on\.$/,
  /^waits \d+ s for the request limit$/,
  lost,
];

/** Times differ from one call to the next. */
const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '0');

export interface CommandFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder with the files that commands read. */
export async function openCommandFolder(): Promise<CommandFolder> {
  const path = await mkdtemp(join(tmpdir(), 'faults-'));
  for (const [name, value] of Object.entries(commandFiles))
    await writeFile(join(path, name), JSON.stringify(value));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** told: what windows say under this fault, by the names of operations. */
export async function tryCommand(
  fault: Fault,
  { words, operations, follows }: FaultedCommand,
  folder: CommandFolder,
  told: ReadonlyMap<string, string>,
): Promise<CommandCell> {
  await using world = await openFaultyWorld(fault);
  const { baseUrl, clock, http, key, sent } = world;
  const ending = new AbortController();
  let interrupted: ExitCode | undefined;
  const given = words.map((word) => (Object.hasOwn(commandFiles, word) ? join(folder.path, word) : word));
  const { code, stdout, stderr } = await runHere([...given, '--json'], {
    environment: { WORKFLOW_BASE_URL: baseUrl, WORKFLOW_API_KEY: key },
    serviceOptions: {
      // Ports come again, and the clocks of two faults differ.
      ledgerPath: join(folder.path, crypto.randomUUID(), 'budget.db'),
      clock,
      uptime: clock.uptime,
      http: () => Promise.resolve(http),
    },
    interrupts: { signal: ending.signal, exitCode: () => interrupted },
    onError: (written) => {
      const losses = linesOf(written).filter((line) => lost.test(line)).length;
      if (losses < maximumLosses || interrupted !== undefined) return;
      interrupted = exitCodes.interrupted;
      ending.abort(new DOMException('Cancelled', 'AbortError'));
    },
  });
  const known = new Set(operations.map((name) => withoutNumbers(told.get(name) ?? '')));
  const foreign = linesOf(stderr).filter(
    (line) => !known.has(withoutNumbers(line)) && !ofCommands.some((each) => each.test(line)),
  );
  return {
    code,
    stdout,
    stderr,
    sent,
    broken: [
      ...world.findBroken([stdout, stderr]),
      ...foreign.map((line) => `words of its own: ${line}`),
      ...describeEnd(code, { stdout, stderr }, follows === true),
    ],
  };
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** What is wrong with how it ended. */
function describeEnd(
  code: ExitCode,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  follows: boolean,
): readonly string[] {
  const lines = linesOf(stdout);
  const faults = lines.filter((line) => parseJson(line) === undefined).map((line) => `no JSON: ${line}`);
  const refused: readonly ExitCode[] = [exitCodes.refused, exitCodes.usage];
  const isRefused = refused.includes(code);
  if (isRefused && stderr === '') faults.push('ended without words');
  if (isRefused && stdout !== '' && !follows) faults.push(`a result and a refusal: ${stdout}`);
  if (!isRefused && lines.length !== 1 && !follows) faults.push(`${lines.length} results`);
  return faults;
}
