#!/usr/bin/env node
// The entry of the command line. An older Node can't even load the rest, so the version is checked here.
import type { Interrupts } from './program/commandLine/main.ts';
import type { Checker, ExitCode } from './program/commandLine/command.ts';

const needed = { major: 22, minor: 16 } as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > needed.major || (major === needed.major && minor >= needed.minor)) await start();
else {
  process.stderr.write(
    `The command line needs Node ${needed.major}.${needed.minor} or newer; this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
}

async function start(): Promise<void> {
  const { runCommandLine } = await import('./program/commandLine/main.ts');
  const { exitCodes } = await import('./program/commandLine/command.ts');
  const { env, stdout, stderr } = process;
  const controller = new AbortController();
  let exitCode: ReturnType<Interrupts['exitCode']>;
  const end = (code: ExitCode): void => {
    exitCode ??= code;
    controller.abort(new DOMException('Cancelled', 'AbortError'));
  };
  process.once('SIGINT', () => end(exitCodes.interrupted));
  process.once('SIGTERM', () => end(exitCodes.terminated));
  /** Where nobody reads any more: ends a command that would go on writing, then the process. */
  let stop = (): void => end(exitCodes.done);
  let isUnread = false;
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // Whoever reads has seen enough. Anything else, such as a full disk, has lost a part of the result.
    isUnread = code === 'EPIPE' || code === 'ECONNRESET' || code === 'EOF';
    if (isUnread) stop();
    else stderr.write(`The result can't be written: ${message}\n`, () => process.exit(exitCodes.refused));
  });
  stderr.on('error', () => undefined);
  const { signal } = controller;
  const packageFolder = new URL('..', import.meta.url);
  const openChecker = async (): Promise<Checker> => {
    const [{ Evaluator }, { systemClock: clock }] = await Promise.all([
      import('./service/sandbox/evaluator.ts'),
      import('./base/time.ts'),
    ]);
    return new Evaluator({ program: new URL('dist/sandbox.js', packageFolder), clock });
  };
  const code = await runCommandLine(
    process.argv.slice(2),
    { environment: env, output: stdout, errors: stderr, packageFolder, openChecker },
    { signal, exitCode: () => exitCode },
  );
  stop = () => void stderr.write('', () => process.exit(code));
  // What was written must arrive before the process ends, whatever is still open. An error ends it by itself.
  stdout.write('', (error) => {
    if (!error || isUnread) stop();
  });
}
