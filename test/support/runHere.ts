// The command line in this process, with streams of its own.
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { checkText } from '../../src/definition/checkText.ts';
import { inputFaults } from '../../src/definition/inputSchema.ts';
import { parseJson } from '../../src/base/json.ts';
import type { Checker, ExitCode, Surroundings } from '../../src/program/commandLine/command.ts';
import { type Interrupts, runCommandLine } from '../../src/program/commandLine/main.ts';
import { root } from '../rig/paths.ts';

export interface RanHere {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunHereOptions extends Partial<Pick<Surroundings, 'environment' | 'serviceOptions'>> {
  readonly interrupts?: Interrupts;
  /** Called with all of stderr whenever it grows. */
  readonly onError?: (stderr: string) => void;
}

const checker: Checker = {
  checkText: (text, rules) => Promise.resolve(checkText(text, rules)),
  checkInput: (schema, input) => Promise.resolve(inputFaults(schema, parseJson(input) ?? null)),
  dispose: () => undefined,
};

export async function runHere(
  words: readonly string[],
  { environment = {}, serviceOptions, interrupts, onError }: RunHereOptions = {},
): Promise<RanHere> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const written = { stdout: '', stderr: '' };
  output.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  errors.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
    onError?.(written.stderr);
  });
  const code = await runCommandLine(
    words,
    {
      environment,
      output,
      errors,
      packageFolder: pathToFileURL(join(root, '/')),
      openChecker: () => Promise.resolve(checker),
      ...(serviceOptions && { serviceOptions }),
    },
    interrupts ?? { signal: new AbortController().signal, exitCode: () => undefined },
  );
  return { code, ...written };
}
