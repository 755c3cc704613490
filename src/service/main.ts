// The service's program: reads the command line and prints its results to stdout as JSON lines.
import { redact } from '../base/secrets.ts';
import type { Logger } from '../base/logger.ts';
import { databasePath } from '../protocol/localService/dataFolder.ts';
import {
  type KeysCommand,
  readCommand,
  type ServeCommand,
  usage,
  UsageError,
} from './process/commandLine.ts';
import { AlreadyRunningError, prepareDataFolder } from './process/dataFolder.ts';
import { exitCodes } from '../protocol/localService/instance.ts';
import { serve } from './process/serve.ts';
import { SqliteStore } from './store/sqlite/sqliteStore.ts';
import { NewerDataError, StorageError, toStorageError, withStorage } from './store/storageError.ts';

const logger: Logger = {
  debug: () => undefined,
  info: writeError,
  warn: writeError,
  error: (message, cause) => writeError(cause === undefined ? message : `${message} ${reasonOf(cause)}`),
};

// Files that the service creates are accessible to its user only.
if (process.platform !== 'win32') process.umask(0o077);
// The openworkflow package reports its failures with console.error.
Reflect.set(console, 'error', (message: string, cause?: unknown) => logger.error(message, cause));

try {
  const command = readCommand(process.argv.slice(2));
  if (command.kind === 'serve') await runServe(command);
  else writeLine(await runKeys(command));
} catch (error) {
  process.exitCode = fail(error);
}

/** Runs until a signal arrives, a window stops the service, or the last lease ends. */
async function runServe(command: ServeCommand): Promise<void> {
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const service = await serve(command, logger);
  writeLine({ baseUrl: service.baseUrl });
  await Promise.race([signalled, service.ended]);
  await service.stop();
  // A node that ignores the abort signal must not keep the process alive.
  process.exit(0);
}

/** Manages API keys, also while a service runs on the folder. Returns the value to print. Rejects when there's no key with the id. */
async function runKeys(command: KeysCommand): Promise<unknown> {
  const path = databasePath(command.dataFolder);
  const store = withStorage(path, () => {
    prepareDataFolder(command.dataFolder);
    return new SqliteStore({ path });
  });
  try {
    switch (command.kind) {
      case 'createKey':
        return await store.keys.create(command.name, command.expiration);
      case 'listKeys':
        return await store.keys.list();
      case 'revokeKey':
        if (!(await store.keys.revoke(command.id)))
          throw new Error(`There is no key with the id ${command.id}.`);
        return (await store.keys.list()).find((key) => key.id === command.id);
    }
  } catch (error) {
    throw toStorageError(error, path);
  } finally {
    await store.close();
  }
}

/** Prints the reason and returns the exit code. */
function fail(error: unknown): number {
  if (error instanceof UsageError) {
    writeError(`${error.message}\n${usage}`);
    return exitCodes.usage;
  }
  if (error instanceof AlreadyRunningError) {
    writeError(error.message);
    return exitCodes.alreadyRunning;
  }
  if (error instanceof StorageError) {
    writeError(error.message);
    return error.isDamage ? exitCodes.dataDamaged : exitCodes.failed;
  }
  writeError(error instanceof NewerDataError ? error.message : reasonOf(error));
  return exitCodes.failed;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function writeLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function writeError(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}
