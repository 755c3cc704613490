import { type Disposable, toDisposable } from './disposable.ts';

type Sqlite = ReturnType<typeof process.getBuiltinModule<'node:sqlite'>>;

export type Database = InstanceType<Sqlite['DatabaseSync']>;
export type Statement = ReturnType<Database['prepare']>;
/** What a statement takes for a placeholder. */
export type SqlInput = string | number | null;
/** A row of a result. */
export type Columns = NonNullable<ReturnType<Statement['get']>>;

/** Returns node:sqlite where this Node has it, without the experimental warning that some versions print to the console. */
export function loadSqlite(): Sqlite | undefined {
  const warn = 'emitWarning';
  const original = Object.getOwnPropertyDescriptor(process, warn);
  Object.defineProperty(process, warn, { configurable: true, value: () => undefined });
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    if (original === undefined) Reflect.deleteProperty(process, warn);
    else Object.defineProperty(process, warn, original);
  }
}

/**
 * Locks the file, which is made if it's missing, until disposed; the operating system releases the lock when the process ends for any reason. Returns
 * undefined while another process, or something else in this one, holds it. Throws the errors of SQLite.
 */
export function lockFile(path: string): Disposable | undefined {
  const loaded = loadSqlite();
  if (loaded === undefined) throw new Error('This version of Node has no SQLite.');
  const database = new loaded.DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return toDisposable(() => database.close());
}

/** True when another connection to the file is at work. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(sqliteCode(error));

/** SQLite's primary result code; -1 for other errors. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : -1;
}
