// The service can outlive the window that starts it, so it runs as a detached process.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { logPath } from '../protocol/localService/dataFolder.ts';

const tailCharacters = 2000;
const maximumLogBytes = 1024 * 1024;

export interface SpawnedService {
  /** undefined while the service runs; 1 when it couldn't be started or a signal ended it. */
  readonly exitCode: number | undefined;
  /** Returns the end of the service's stderr output, or the reason that it couldn't be started. */
  readErrors(): Promise<string>;
}

/** Starts the service's program, detached and without a shell; its stderr goes to a file in the data folder. */
export function spawnService(options: {
  readonly nodePath: string;
  readonly servicePath: string;
  readonly dataFolder: string;
  readonly samples: boolean;
  readonly keepDays: number;
  readonly keepExecutions: number;
  readonly refusesPrivateAddresses: boolean;
  /** 0 selects a free port. */
  readonly port: number;
}): SpawnedService {
  const { nodePath, servicePath, dataFolder, samples, port } = options;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = logPath(dataFolder);
  const { log, start } = openLog(path);
  const words = [
    'serve',
    '--data',
    dataFolder,
    '--port',
    String(port),
    '--leased',
    ...['--keep-days', String(options.keepDays), '--keep-executions', String(options.keepExecutions)],
    ...(samples ? ['--samples'] : []),
    ...(options.refusesPrivateAddresses ? ['--refuse-private-addresses'] : []),
  ];
  const child = spawn(nodePath, [servicePath, ...words], {
    cwd: dataFolder,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', log],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  closeSync(log);
  let exitCode: number | undefined;
  let failure = '';
  child.once('exit', (code) => {
    exitCode = code ?? 1;
  });
  child.once('error', (error) => {
    exitCode = 1;
    failure = error.message;
  });
  child.unref();
  return {
    get exitCode() {
      return exitCode;
    },
    async readErrors() {
      if (failure !== '') return failure;
      const written = (await readFile(path)).subarray(start).toString('utf8');
      return written.slice(-tailCharacters).trim();
    },
  };
}

/** Opens the log for appending, as the service of another window may write to it as well. Empties it when it's over 1 MiB. */
function openLog(path: string): { log: number; start: number } {
  const log = openSync(path, 'a', 0o600);
  const { size } = fstatSync(log);
  if (size <= maximumLogBytes) return { log, start: size };
  ftruncateSync(log);
  return { log, start: 0 };
}
