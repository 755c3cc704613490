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

/** SQLite's primary result code; -1 for other errors. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : -1;
}
