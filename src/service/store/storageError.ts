// Classifies the errors of SQLite and the file system (postgres/postgresError.ts: of PostgreSQL), writes their messages for users, and
// retries what can pass.
import { dirname } from 'node:path';
import type { LogFields, Logger } from '../../base/logger.ts';
import { codeOf, tried } from '../../base/reason.ts';
import { type Now, steadyNow, systemClock, wait } from '../../base/time.ts';

export type StorageProblem =
  /** The disk is full; existing data can be read. */
  | 'full'
  /** The disk, or the database, takes no writes. */
  | 'readOnly'
  /** The user of the service may not write to the file. */
  | 'notWritable'
  /** The file is a database with corrupt pages. */
  | 'damaged'
  | 'notADatabase'
  | 'cannotOpen'
  /** Another process holds a lock. */
  | 'busy'
  /** The database doesn't respond; only PostgreSQL. */
  | 'unreachable';

/** Where the data is: a file, or a database as "HOST:PORT/NAME". */
export type StorageLocation = { readonly file: string } | { readonly database: string };

const byResultCode: Readonly<Partial<Record<number, StorageProblem>>> = {
  5: 'busy',
  6: 'busy',
  8: 'notWritable',
  11: 'damaged',
  13: 'full',
  14: 'cannotOpen',
  26: 'notADatabase',
};
/** SQLite's extended codes for writing, syncing, truncating and sizing the shared memory, which fail when the disk is full. */
const writingCodes = new Set([778, 1034, 1290, 1546, 4618, 4874, 5386]);
/** SQLite's extended codes for reads that return too little or that the disk refuses. */
const readingCodes = new Set([266, 522, 8458]);
/** Codes that only disks cause. */
const bySystemCode: Readonly<Partial<Record<string, StorageProblem>>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'readOnly',
};
/** Codes that the network can cause too. */
const byFileCode: Readonly<Partial<Record<string, StorageProblem>>> = {
  EACCES: 'cannotOpen',
  EPERM: 'cannotOpen',
};

/** Returns the storage problem that caused the error; undefined for anything else that can be thrown. Follows the error's causes. */
export function storageProblemOf(error: unknown): StorageProblem | undefined {
  return tried(() => findProblem(error));
}

function findProblem(error: unknown): StorageProblem | undefined {
  if (error instanceof StorageError) return error.problem;
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth += 1) {
    const problem = ofSqlite(current) ?? ofSystem(current);
    if (problem) return problem;
    current = current.cause;
  }
  return undefined;
}

function ofSqlite(error: Error): StorageProblem | undefined {
  if (!('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  if (writingCodes.has(error.errcode)) return 'full';
  if (readingCodes.has(error.errcode)) return 'damaged';
  return byResultCode[error.errcode & 0xff];
}

/** An error of a file system call has a path or an fd, except where the write to an open file failed. */
function ofSystem(error: Error): StorageProblem | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return bySystemCode[code] ?? ('path' in error || 'fd' in error ? byFileCode[code] : undefined);
}

/** Returns sentences for users: the problem, and what to do. */
export function describeStorageProblem(problem: StorageProblem, location: StorageLocation): string {
  return 'file' in location
    ? describeFileProblem(problem, location.file)
    : describeDatabaseProblem(problem, location.database);
}

const summaries: Readonly<Record<StorageProblem, string>> = {
  full: 'The disk is full: nothing new can be stored.',
  readOnly: 'The data is read-only.',
  notWritable: 'The data is read-only.',
  damaged: 'The data is damaged.',
  notADatabase: 'The data is damaged.',
  cannotOpen: 'The data cannot be opened.',
  busy: 'The database is busy.',
  unreachable: 'The database does not respond.',
};

/** Returns a sentence for anybody: the problem, without the location of the data. */
export function summarizeStorageProblem(problem: StorageProblem): string {
  return summaries[problem];
}

function describeDatabaseProblem(problem: StorageProblem, database: string): string {
  switch (problem) {
    case 'full':
      return `The disk of the database ${database} is full. Free some space there; the service resumes automatically.`;
    case 'readOnly':
    case 'notWritable':
      return `The database ${database} is read-only. Make it writable again and end its connections, or connect the service to the primary one.`;
    case 'busy':
      return `The database ${database} is busy. Try again.`;
    case 'unreachable':
    case 'cannotOpen':
      return `The database ${database} does not respond. Start it or fix the network; the service resumes automatically.`;
    case 'damaged':
    case 'notADatabase':
      return `The database ${database} is damaged. Restore it from a backup.`;
  }
}

function describeFileProblem(problem: StorageProblem, path: string): string {
  switch (problem) {
    case 'full':
      return `The disk is full: nothing can be written to ${dirname(path)}. Free some space there; a running service resumes automatically.`;
    case 'readOnly':
      return `${path} is on a read-only disk. Mount it for writing, or choose another folder for the data.`;
    case 'notWritable':
      return `${path} cannot be written to. Give the user of the service the right to write to it and to its folder.`;
    case 'damaged':
      return `${path} is damaged. Restore a copy of it, or move it away to start over.`;
    case 'notADatabase':
      return `${path} is not a database of the service. Restore a copy of it, or move it away to start over.`;
    case 'cannotOpen':
      return `${path} cannot be opened. Give the user of the service the right to read and write it and its folder.`;
    case 'unreachable':
    case 'busy':
      return `${path} is locked by another process. Try again, or end that process.`;
  }
}

/** Returns true when only other data helps. */
export function isDamage(problem: StorageProblem): boolean {
  return problem === 'damaged' || problem === 'notADatabase';
}

/** The data can't be used; the message says why and what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem, location: StorageLocation, options?: ErrorOptions) {
    super(describeStorageProblem(problem, location), options);
    this.problem = problem;
  }

  /** True when the service can only start with other data. */
  get isDamage(): boolean {
    return isDamage(this.problem);
  }
}

/** A newer version of the service has written the data. Nothing was changed. */
export class NewerDataError extends Error {
  override readonly name = 'NewerDataError';
}

/** The tables of a database can't be used now; the message says why and what to do. Nothing was changed. */
export class TablesError extends Error {
  override readonly name = 'TablesError';
}

/** Runs the work on a file; storage errors are rethrown as a StorageError that names the file. */
export function withStorage<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error, path);
  }
}

/** Converts storage errors to a StorageError; returns other errors unchanged. */
export function toStorageError(error: unknown, path: string): unknown {
  const problem = error instanceof StorageError ? undefined : storageProblemOf(error);
  return problem === undefined ? error : new StorageError(problem, { file: path }, { cause: error });
}

const pauseMs = 1000;
/** Problems that can pass without a restart, for example when disk space is freed. */
const passing = new Set<unknown>(['full', 'busy', 'readOnly', 'notWritable', 'cannotOpen', 'unreachable']);

/** Retries the work while a temporary storage problem prevents it. Rejects with the signal's reason when aborted meanwhile. */
export async function retryUntilStored<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!passing.has(storageProblemOf(error))) throw error;
    }
    await wait(systemClock, pauseMs, signal);
  }
}

const quietMs = 60_000;

/** Logs each storage problem at most once a minute, with the number of suppressed lines; passes on everything else. */
export class StorageLog implements Logger {
  readonly #logger: Logger;
  readonly #location: StorageLocation;
  readonly #now: Now;
  readonly #reported = new Map<StorageProblem, { readonly at: number; more: number }>();

  /** `now` returns the milliseconds of a monotonic clock. */
  constructor(logger: Logger, location: StorageLocation, now: Now = steadyNow) {
    this.#logger = logger;
    this.#location = location;
    this.#now = now;
  }

  debug(message: string): void {
    this.#logger.debug(message);
  }

  info(message: string, fields?: LogFields): void {
    this.#logger.info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#logger.warn(message, fields);
  }

  error(message: string, cause?: unknown, fields?: LogFields): void {
    const problem = storageProblemOf(cause);
    if (problem === undefined) {
      this.#logger.error(message, cause, fields);
      return;
    }
    const last = this.#reported.get(problem);
    if (last && this.#now() - last.at < quietMs) {
      last.more += 1;
      return;
    }
    this.#reported.set(problem, { at: this.#now(), more: 0 });
    const more = last && last.more > 0 ? ` ${last.more} more since the last line like this.` : '';
    const words = `${message} ${describeStorageProblem(problem, this.#location)}${more}`;
    this.#logger.error(words, undefined, fields);
  }
}
