// The service can outlive the window that starts it, so it runs as a detached process.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { logPath } from '../protocol/localService/dataFolder.ts';

/**
 * Without it, V8 lets the objects of ended executions pile up: 300 MB after 2,000 quick executions instead of 200, at the same pace (`npm
 * run bench -- memory`). It can't be set once the program runs.
 */
export const nodeOptions = ['--max-semi-space-size=8'] as const;

const tailCharacters = 2000;
const maximumLogBytes = 1024 * 1024;

export interface SpawnOptions {
  /** Node, or an Electron that can act as Node. */
  readonly nodePath: string;
  /** The service's program file. */
  readonly servicePath: string;
  readonly dataFolder: string;
  /** Imports the samples if there are no workflows. */
  readonly samples: boolean;
  /** 0 keeps all. */
  readonly keepDays: number;
  /** 0 keeps all. */
  readonly keepExecutions: number;
  /** Limits HTTP request nodes to public addresses. */
  readonly refusesPrivateAddresses: boolean;
}

/** The service's program, started detached and without a shell; its stderr goes to a file in the data folder. */
export class SpawnedService {
  readonly #logPath: string;
  /** Where this start's output begins in the log, in bytes. */
  readonly #logStart: number;
  #exitCode: number | undefined;
  #failure = '';

  /** Starts the program; port 0 selects a free port. */
  constructor(options: SpawnOptions, port: number) {
    mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
    this.#logPath = logPath(options.dataFolder);
    const { log, start } = openLog(this.#logPath);
    this.#logStart = start;
    const words = [...nodeOptions, options.servicePath, ...wordsOf(options, port)];
    const child = spawn(options.nodePath, words, {
      cwd: options.dataFolder,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', log],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    closeSync(log);
    child.once('exit', (code) => {
      this.#exitCode = code ?? 1;
    });
    child.once('error', (error) => {
      this.#exitCode = 1;
      this.#failure = error.message;
    });
    child.unref();
  }

  /** undefined while the service runs; 1 when it couldn't be started or a signal ended it. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Returns the end of the service's stderr output, or the reason that it couldn't be started. */
  async readErrors(): Promise<string> {
    if (this.#failure !== '') return this.#failure;
    const written = (await readFile(this.#logPath)).subarray(this.#logStart).toString('utf8');
    return written.slice(-tailCharacters).trim();
  }
}

function wordsOf(options: SpawnOptions, port: number): string[] {
  return [
    'serve',
    ...['--data', options.dataFolder, '--port', String(port), '--leased'],
    ...['--keep-days', String(options.keepDays), '--keep-executions', String(options.keepExecutions)],
    ...(options.samples ? ['--samples'] : []),
    ...(options.refusesPrivateAddresses ? ['--refuse-private-addresses'] : []),
  ];
}

/** Opens the log for appending, as the service of another window may write to it as well. Empties it when it's over 1 MiB. */
function openLog(path: string): { log: number; start: number } {
  const log = openSync(path, 'a', 0o600);
  const { size } = fstatSync(log);
  if (size <= maximumLogBytes) return { log, start: size };
  ftruncateSync(log);
  return { log, start: 0 };
}
