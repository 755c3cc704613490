// What a test service keeps its data in: SQLite, or the PostgreSQL that the run of the tests has started.
import { createHash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import type { Logger } from '../../src/base/logger.ts';
import type { Now } from '../../src/base/time.ts';
import { type DatabaseAddress, readDatabaseUrl } from '../../src/service/store/postgres/address.ts';
import { connectionOptions } from '../../src/service/store/postgres/pool.ts';
import { PostgresStore } from '../../src/service/store/postgres/postgresStore.ts';
import type { SqlRow } from '../../src/service/store/database.ts';
import { type PortalEventLimits, portalEventLimits } from '../../src/service/store/portalEvents.ts';
import { SqliteStore } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { StorageLocation } from '../../src/service/store/storageError.ts';
import type { Store } from '../../src/service/store/store.ts';
import { copyDatabase, emptyDatabase } from './postgres.ts';

/** The URL of a migrated, empty database that each test service copies. */
export const templateVariable = 'TEST_DATABASE_URL';

/** True when the tests run on PostgreSQL; known once they run. */
export function isOnPostgres(): boolean {
  return process.env[templateVariable] !== undefined;
}

export interface TestStorage {
  readonly store: Store;
  readonly location: StorageLocation;
  /** Leaves the data to the next storage that asks for new data, once the store is closed. */
  readonly leave?: () => void;
}

export interface TestStorageOptions {
  /** What outlives the store; default: nothing. */
  readonly path?: string | undefined;
  readonly now: Now;
  readonly logger: Logger;
  readonly eventLimits?: Partial<PortalEventLimits> | undefined;
  readonly maximumPages?: number | undefined;
}

export function openTestStorage(options: TestStorageOptions): Promise<TestStorage> {
  const template = process.env[templateVariable];
  return template === undefined ? openSqlite(options) : openPostgres(readDatabaseUrl(template), options);
}

function openSqlite({
  path = ':memory:',
  now,
  logger,
  maximumPages,
  eventLimits,
}: TestStorageOptions): Promise<TestStorage> {
  const limit = maximumPages === undefined ? {} : { maximumPages };
  const limits = { ...portalEventLimits, ...eventLimits };
  const store = new SqliteStore({ path, now, logger, eventLimits: limits, ...limit });
  return Promise.resolve({ store, location: { file: path } });
}

async function openPostgres(
  template: DatabaseAddress,
  { path, now, logger, eventLimits }: TestStorageOptions,
): Promise<TestStorage> {
  const address =
    path === undefined ? await takeDatabase(template) : await copyDatabase(template, nameOf(path));
  const limits = { ...portalEventLimits, ...eventLimits };
  const store = new PostgresStore({ address, now, logger, eventLimits: limits, poolSize: 6 });
  const leave = (): void => {
    if (path === undefined) left.push(address);
  };
  return { store, location: { database: address.name }, leave };
}

/** The databases of this process that nobody uses any more. */
const left: DatabaseAddress[] = [];

async function takeDatabase(template: DatabaseAddress): Promise<DatabaseAddress> {
  const address = left.pop();
  if (address === undefined) return copyDatabase(template, nameOf(randomUUID()));
  await emptyDatabase(address);
  return address;
}

/** Makes a database with the service's tables on the server that the run of the tests has started. */
export function createDatabase(name: string): Promise<DatabaseAddress> {
  return copyDatabase(readTemplate(), name);
}

/** Makes an empty database on the server that the run of the tests has started. */
export function createEmptyDatabase(name: string): Promise<DatabaseAddress> {
  const url = new URL(readTemplate().url);
  url.pathname = '/template1';
  return copyDatabase(readDatabaseUrl(url.href), name);
}

function readTemplate(): DatabaseAddress {
  const template = process.env[templateVariable];
  if (template === undefined) throw new Error('This run of the tests has started no PostgreSQL.');
  return readDatabaseUrl(template);
}

/** Runs statements, separated by semicolons, on the data of a path, whichever database that is; returns the rows of a SELECT. */
export async function queryStorage(path: string, sql: string): Promise<readonly SqlRow[]> {
  const template = process.env[templateVariable];
  if (template === undefined) return querySqlite(path, sql);
  const address = await copyDatabase(readDatabaseUrl(template), nameOf(path));
  const connection = postgres(address.url, { ...connectionOptions(1) });
  try {
    return await connection.unsafe<Record<string, unknown>[]>(sql);
  } finally {
    await connection.end();
  }
}

function querySqlite(path: string, sql: string): readonly SqlRow[] {
  const database = new DatabaseSync(path);
  try {
    if (sql.startsWith('SELECT')) return database.prepare(sql).all();
    database.exec(sql);
    return [];
  } finally {
    database.close();
  }
}

/** The name of the database that stands for a path. */
function nameOf(path: string): string {
  return `test_${createHash('md5').update(path).digest('hex')}`;
}
