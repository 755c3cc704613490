// Some promises hold only for a real process; the tests start one on a folder of its own and take it down again.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/base/json.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { at, type Service, textAt } from '../calls.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

/** As it is built, which starts in half of the time that the sources take. */
export const programPath = pathOf('dist/service.js');

export const programSource = pathOf('src/service/start.ts');

/** What a window asks of the service it starts. */
export const keeping = {
  keepDays: 30,
  keepExecutions: 10_000,
  refusesPrivateAddresses: false,
  readSecretsKey: () => Promise.resolve('k'.repeat(43)),
} as const;

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Returns what it has written to stderr. */
  errors(): string;
  /** Ends it without any notice, as a crash does. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has. */
  terminate(): Promise<void>;
}

export interface WorkerProcess extends RunningProcess {
  /** 0 when it has none. */
  readonly port: number;
}

export interface Program extends RunningProcess {
  /** Ends in /v1. */
  readonly baseUrl: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program as the tests' calls see a service. */
export function serviceOf({ baseUrl }: Program, key: string): Service {
  const { origin } = new URL(baseUrl);
  return { key, app: { request: (path, init) => fetch(origin + path, init) } };
}

/** A new folder for the service's data. */
export async function createDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'service-'));
}

export async function removeDataFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/** Starts the service and waits until it listens. */
export async function startProgram(dataFolder: string, ...more: string[]): Promise<Program> {
  const words = ['serve', '--data', dataFolder, '--port', '0', '--requests-per-minute', '10000'];
  const { line, ...running } = await startProcess([...words, ...more]);
  return { ...running, baseUrl: textAt(line, 'baseUrl') };
}

/** Starts an API process on a database and waits until it listens; it has a worker of its own by default. */
export async function startTeamService(address: DatabaseAddress, ...more: string[]): Promise<Program> {
  const words = ['serve', '--database-url', address.url, '--port', '0', '--requests-per-minute', '10000'];
  const { line, ...running } = await startProcess([...words, ...more]);
  return { ...running, baseUrl: textAt(line, 'baseUrl') };
}

/** Starts a worker on a database and waits until it works. */
export async function startWorker(address: DatabaseAddress, ...more: string[]): Promise<WorkerProcess> {
  const { line, ...running } = await startProcess(['worker', '--database-url', address.url, ...more]);
  assert.equal(at(line, 'ready'), true);
  return { ...running, port: Number(at(line, 'port') ?? 0) };
}

/** Starts the program and waits for its first line. `before` are Node's own options; `path` is another file of the program. */
export async function startProcess(
  words: string[],
  before: string[] = [],
  environment: Readonly<Record<string, string>> = {},
  path = programPath,
): Promise<RunningProcess & { readonly line: JsonValue | undefined }> {
  const child = start(words, before, environment, path);
  assert.ok(child.stdout && child.stderr);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      child,
      line: parseJson(line),
      errors: () => errors,
      kill: async () => {
        child.kill('SIGKILL');
        await ended(child);
      },
      terminate: async () => {
        child.kill('SIGTERM');
        await ended(child);
      },
    };
  }
  throw new Error(`The program ended before it had begun. ${errors}`);
}

/** Runs the program to its end. */
export function runProgram(...words: string[]): Promise<Finished> {
  return runProgramWith({}, ...words);
}

export interface ProgramInput {
  /** What it reads; default: nothing. */
  readonly stdin?: string;
  /** Added to the variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function runProgramWith(
  { stdin = '', environment = {} }: ProgramInput,
  ...words: string[]
): Promise<Finished> {
  const child = start(words, [], environment);
  // It can end before it has read all.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** Resolves when the process has ended. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** A key of the folder or the database that never expires. */
export async function createKey(place: string | DatabaseAddress): Promise<string> {
  const { stdout } = await runProgram(
    'keys',
    'create',
    ...(typeof place === 'string' ? ['--data', place] : ['--database-url', place.url]),
    '--name',
    'test',
    '--expiration',
    'never',
  );
  const record = parseJson(stdout);
  assert.ok(isJsonObject(record), stdout);
  return textAt(record, 'key');
}

function start(
  words: string[],
  before: string[] = [],
  environment: Readonly<Record<string, string>> = {},
  path = programPath,
): ChildProcess {
  return spawn(process.execPath, [...before, path, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
}

/** Returns the first line of the log that fits, once there is one. */
export async function lineOf(
  process: RunningProcess,
  fits: (line: JsonObject) => boolean,
): Promise<JsonObject> {
  for (;;) {
    const lines = process
      .errors()
      .split('\n')
      .map((line) => parseJson(line));
    const found = lines.find((line) => isJsonObject(line) && fits(line));
    if (isJsonObject(found)) return found;
    await nextTurn();
  }
}
