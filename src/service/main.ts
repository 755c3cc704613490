// The service's program: reads the command line and prints its results to stdout as JSON lines.
import { stringifyJson } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { reasonOf } from '../base/reason.ts';
import { systemClock } from '../base/time.ts';
import { exitCodes } from '../protocol/localService/instance.ts';
import {
  type Command,
  help,
  type KeysCommand,
  readCommand,
  type ServeCommand,
  usage,
} from './process/commandLine.ts';
import { AlreadyRunningError } from './process/dataFolder.ts';
import { PrintError, runKeys } from './process/keys.ts';
import { UsageError } from './process/options.ts';
import { createMaskText, createJsonLog, createPlainLog, reportConsole } from './process/programLog.ts';
import { runSecrets, type SecretsCommand } from './process/secretsCommands.ts';
import { serve } from './process/serve.ts';
import type { TeamServeCommand, WorkerCommand } from './process/teamCommands.ts';
import { serveTeam, startWorker } from './process/teamService.ts';
import { SecretMask } from './secrets/secretMask.ts';
import { SecretsError } from './secrets/secrets.ts';
import type { DatabaseAddress } from './store/postgres/address.ts';
import { isReportedByPostgres, toPostgresError } from './store/postgres/postgresError.ts';
import { NewerDataError, StorageError, StorageLog, TablesError } from './store/storageError.ts';

/** A process of a team ends by itself after this time, even if its database doesn't respond. */
const longestStopMs = 25_000;

const words = process.argv.slice(2);
const secretMask = new SecretMask();
const hide = createMaskText([...words, process.env['DATABASE_URL']], secretMask);
const plainLog = createPlainLog(writeError, hide);

// Files that the service creates are accessible to its user only.
if (process.platform !== 'win32') process.umask(0o077);
reportConsole(plainLog);
// Its reader can be gone, and the disk of a log can be full.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await run(readCommand(words, process.env));
} catch (error) {
  process.exitCode = fail(error, plainLog);
}

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(`${help}\n`);
      return;
    case 'serve':
      return runServe(command);
    case 'serveTeam':
    case 'worker':
      return runTeam(command);
    case 'migrate': {
      endOnUnexpected(limit(plainLog, command.address), command.address);
      const { migrate } = await import('./process/teamDatabase.ts');
      await migrate(command.address);
      return print({ database: command.address.name });
    }
    case 'createKey':
    case 'listKeys':
    case 'revokeKey':
    case 'setSecret':
    case 'listSecrets':
    case 'deleteSecret':
    case 'rotateSecrets':
      return runDataCommand(command);
  }
}

async function runDataCommand(command: KeysCommand | SecretsCommand): Promise<void> {
  const { location } = command;
  if ('address' in location) endOnUnexpected(limit(plainLog, location.address), location.address);
  else endOnUnexpected(plainLog);
  if ('keys' in command)
    for (const line of await runSecrets(command, process.stdin, plainLog)) await print(line);
  else await runKeys(command, print);
}

/** Runs until a signal arrives, a window stops the service, or the last lease ends. */
async function runServe(command: ServeCommand): Promise<void> {
  endOnUnexpected(plainLog);
  const signal = signalled();
  const service = await serve(command, plainLog, secretMask);
  writeLine({ baseUrl: service.baseUrl });
  const damage = await Promise.race([signal, service.ended]);
  try {
    await service.stop();
  } catch (error) {
    if (!damage) throw error;
    plainLog.error('The service could not stop cleanly.', error);
  }
  // A node that ignores the abort signal must not keep the process alive.
  process.exit(damage ? fail(damage, plainLog) : 0);
}

/** Runs until a signal arrives. */
async function runTeam(command: TeamServeCommand | WorkerCommand): Promise<void> {
  const { address } = command;
  const logger = limit(createJsonLog(writeError, hide, systemClock.now), address);
  reportConsole(logger);
  endOnUnexpected(logger, address);
  const signal = signalled();
  try {
    const starting =
      command.kind === 'worker'
        ? startWorker(command, logger, secretMask)
        : serveTeam(command, logger, secretMask);
    const team = await Promise.race([starting, signal]);
    if (!team) process.exit(0);
    void team.description.then(writeLine);
    await signal;
    logger.info(
      'The process is stopping: it takes no new work, and the work in progress ends or is handed over.',
    );
    setTimeout(() => {
      logger.error('The process could not stop in time; other processes take over its work.');
      process.exit(exitCodes.failed);
    }, longestStopMs).unref();
    await team.stop();
    logger.info('The process has stopped.');
  } catch (error) {
    process.exit(fail(error, logger));
  }
  process.exit(0);
}

/** Logs a problem of the database as a sentence, and rarely. */
function limit(logger: Logger, { name }: DatabaseAddress): StorageLog {
  return new StorageLog(logger, { database: name });
}

/** Ends the process after an uncaught error, unless it's one of the database, which passes by itself. */
function endOnUnexpected(logger: Logger, address?: DatabaseAddress): void {
  const end = (error: unknown): void => {
    logger.error('The process ends because of an unexpected error.', error);
    process.exit(exitCodes.failed);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', (reason) => {
    // The postgres package asks each new connection for the types of arrays and catches no failure of that (its issue 1192). The option
    // that turns the question off makes its reserve() hang on a new connection (its issue 751).
    const error = address && toPostgresError(reason, address);
    if (error !== reason && error instanceof StorageError)
      logger.error('A new connection to the database failed; the work that needs it is retried.', error);
    else end(reason);
  });
}

/** Resolves with the first signal; a second one then ends the process at once. */
function signalled(): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.off(signal, end);
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}

/** Reports the reason and returns the exit code. */
function fail(error: unknown, logger: Logger): number {
  if (error instanceof UsageError) {
    writeError(hide(`${error.message}\n${usage}`));
    return exitCodes.usage;
  }
  logger.error(wordsOf(error));
  if (error instanceof AlreadyRunningError) return exitCodes.alreadyRunning;
  return error instanceof StorageError && error.isDamage ? exitCodes.dataDamaged : exitCodes.failed;
}

function wordsOf(error: unknown): string {
  const isForPeople =
    error instanceof AlreadyRunningError ||
    error instanceof StorageError ||
    error instanceof NewerDataError ||
    error instanceof TablesError ||
    error instanceof SecretsError ||
    error instanceof PrintError ||
    isReportedByPostgres(error);
  return isForPeople ? error.message : reasonOf(error);
}

/** Rejects with a PrintError. */
function print(value: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${stringifyJson(value)}\n`, (error) =>
      error ? reject(new PrintError(`The result could not be printed: ${error.message}.`)) : resolve(),
    );
  });
}

/** A service goes on where nobody reads what it prints. */
function writeLine(value: unknown): void {
  print(value).catch(() => undefined);
}

function writeError(text: string): void {
  process.stderr.write(`${text}\n`);
}
