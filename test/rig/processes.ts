// Whatever the harness starts has children of its own; this starts them as a group and ends the whole group.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export interface StartedProcess {
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** What it wrote so far, both streams. */
  output(): string;
  /** Hands on every piece that it writes from now on. */
  onOutput(listener: (text: string) => void): void;
  /** Ends it and everything it started; resolves when it is gone. */
  readonly stop: () => Promise<void>;
}

const graceMilliseconds = 5000;

/** Signals the whole group; a group that is gone already is what was wanted. */
function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** True while a process of that id runs, whoever owns it. */
export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Starts a program as the head of a process group of its own, which ends with this process at the latest. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): StartedProcess {
  const child = spawn(command, args, {
    ...options,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killOnExit = (): void => signalGroup(child, 'SIGKILL');
  process.once('exit', killOnExit);

  let written = '';
  const listeners = new Set<(text: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      written += text;
      for (const listener of listeners) listener(text);
    });
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });

  return {
    exited,
    output: () => written,
    onOutput: (listener) => listeners.add(listener),
    async stop() {
      process.off('exit', killOnExit);
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMilliseconds);
      if (child.exitCode === null && child.signalCode === null) {
        signalGroup(child, 'SIGTERM');
        await once(child, 'exit');
      }
      clearTimeout(timer);
      // The head is gone; what it left of its group goes now.
      signalGroup(child, 'SIGKILL');
    },
  };
}
