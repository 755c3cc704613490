import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { exitCodes, type ExitCode, type Run } from '../command.ts';

const known: readonly ExitCode[] = Object.values(exitCodes);

/** The program ends by the signals that this one gets, so that its data stay whole. */
export const runService: Run = async ({ given, packageFolder }) => {
  const path = fileURLToPath(new URL('dist/service.js', packageFolder));
  const program = spawn(process.execPath, [path, ...given.positionals], { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): boolean => program.kill(signal);
  process.on('SIGTERM', pass);
  // A terminal sends Ctrl+C to both.
  process.on('SIGINT', () => undefined);
  const ended = Promise.withResolvers<number>();
  program.once('error', ended.reject);
  program.once('exit', (code) => ended.resolve(code ?? exitCodes.no));
  const code = await ended.promise;
  return known.find((each) => each === code) ?? exitCodes.no;
};
