// The tables in PostgreSQL and the migrations between their versions.
import postgres from 'postgres';
import { unlessAborted } from '../../../base/async.ts';
import { columns } from '../columns.ts';
import { NewerDataError, TablesError } from '../storageError.ts';
import type { DatabaseAddress } from './address.ts';
import { connectionOptions, sessionSettings, storeSchema } from './pool.ts';
import { hasNoTable, isLockTimeout, toPostgresError } from './postgresError.ts';

/** Whatever the order of texts in the database is. */
const orderedText = 'TEXT COLLATE "C"';

/**
 * Each entry migrates the tables from the previous version to its own. Never edit a released entry. The processes of the previous version
 * still run meanwhile, so an entry only adds.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE workflows (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ${columns.workflows}
  );
  CREATE INDEX workflows_deployed ON workflows (is_deployed, position);

  CREATE TABLE definitions (
    ${columns.definitions}
  );

  CREATE TABLE executions (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ${columns.executions(orderedText)},
    definition_hash TEXT REFERENCES definitions (hash),
    handovers INTEGER NOT NULL DEFAULT 0,
    is_under_way INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX executions_workflow ON executions (workflow_id, position);
  CREATE INDEX executions_status ON executions (status, position);
  CREATE INDEX executions_workflow_status ON executions (workflow_id, status, position);
  CREATE INDEX executions_event ON executions (event_id);
  CREATE INDEX executions_started ON executions ((position >> 10), started_at);
  CREATE INDEX executions_definition ON executions (definition_hash);

  CREATE TABLE idempotency (
    ${columns.idempotency(orderedText)}
  );
  CREATE INDEX idempotency_age ON idempotency (created_at);
  CREATE INDEX idempotency_execution ON idempotency (execution_id);

  CREATE TABLE payloads (
    ${columns.payloads},
    PRIMARY KEY (execution_id, hash)
  );

  CREATE TABLE node_runs (
    ${columns.nodeRuns},
    wake_at BIGINT,
    items TEXT,
    turns INTEGER NOT NULL DEFAULT 0,
    results_size INTEGER NOT NULL DEFAULT 0,
    claim INTEGER,
    PRIMARY KEY (execution_id, node_id, iteration, attempt)
  );

  CREATE TABLE loop_turns (
    ${columns.loopTurns}
  );

  CREATE TABLE node_logs (
    ${columns.nodeLogs}
  );

  -- An event is inserted into few indexes, and into the others once it has a position.
  CREATE TABLE portal_events (
    insertion BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    position BIGINT,
    id TEXT NOT NULL UNIQUE,
    source_id TEXT,
    type TEXT NOT NULL,
    workflow_id TEXT,
    timestamp TEXT NOT NULL,
    data TEXT NOT NULL
  );
  CREATE UNIQUE INDEX portal_events_position ON portal_events (position) WHERE position IS NOT NULL;
  CREATE UNIQUE INDEX portal_events_source ON portal_events (source_id) WHERE source_id IS NOT NULL;
  CREATE INDEX portal_events_unplaced ON portal_events (insertion) WHERE position IS NULL;
  CREATE INDEX portal_events_type ON portal_events (type, position) WHERE position IS NOT NULL;
  CREATE INDEX portal_events_workflow ON portal_events (workflow_id, position) WHERE position IS NOT NULL;

  CREATE TABLE api_keys (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ${columns.apiKeys}
  );

  -- A crash of the database may forget them, so they needn't wait for its disk; half-empty pages leave room to change a row in place.
  CREATE UNLOGGED TABLE requests (
    key_id TEXT NOT NULL PRIMARY KEY,
    times DOUBLE PRECISION[] NOT NULL,
    asked_at DOUBLE PRECISION NOT NULL,
    is_allowed INTEGER NOT NULL
  ) WITH (fillfactor = 50);
  `,
  // Each row of a log keeps what its execution has used of its limits.
  `
  ALTER TABLE node_logs
    ADD COLUMN used_iterations INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN used_bytes BIGINT NOT NULL DEFAULT 0;
  `,
  // A row of a log keeps what an HTTP request node sent and was answered.
  'ALTER TABLE node_logs ADD COLUMN exchange TEXT;',
  // Secrets of HTTP request nodes, encrypted.
  `
  CREATE TABLE secrets (
    ${columns.secrets}
  );
  `,
  // An execution can be a draft or the retry of another, whose records it then uses.
  `
  ALTER TABLE executions
    ADD COLUMN kind TEXT NOT NULL DEFAULT 'deployed',
    ADD COLUMN retry_of TEXT,
    ADD COLUMN based_on TEXT,
    ADD COLUMN plan TEXT,
    ADD COLUMN is_deleting INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX executions_retry ON executions (retry_of) WHERE retry_of IS NOT NULL;
  CREATE INDEX executions_base ON executions (based_on) WHERE based_on IS NOT NULL;
  CREATE INDEX executions_draft ON executions (position) WHERE kind = 'draft';
  ALTER TABLE node_runs
    ADD COLUMN reused_from TEXT,
    ADD COLUMN turns_from TEXT,
    ADD COLUMN turns_taken INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE node_logs
    ADD COLUMN reused_from TEXT,
    ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  `,
  // Crashes of the process count against an execution only while it was the only one that ran.
  `
  ALTER TABLE executions
    ADD COLUMN deaths_alone INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN outlived_ms INTEGER NOT NULL DEFAULT 0;
  `,
  // An execution says that its input had values of secrets.
  'ALTER TABLE executions ADD COLUMN is_input_masked INTEGER NOT NULL DEFAULT 0;',
  // Executions wait in a queue of their workflow, and for a process that has what they need.
  `
  ALTER TABLE executions
    ADD COLUMN queue TEXT NOT NULL DEFAULT 'default',
    ADD COLUMN needs INTEGER NOT NULL DEFAULT 1;
    `,
  // A secret knows the origins that it may be sent to, separated by spaces; none for any.
  `
  ALTER TABLE secrets ADD COLUMN origins TEXT NOT NULL DEFAULT '';
  `,
  // Executions that ended before a time are found without reading those that began earlier.
  `
  CREATE INDEX executions_draft_ended ON executions (completed_at) WHERE kind = 'draft';
  CREATE INDEX executions_deployed_ended ON executions (completed_at) WHERE kind = 'deployed';
  `,
  // An execution knows the version of the definition that it ran.
  'ALTER TABLE executions ADD COLUMN definition_version INTEGER;',
  // An execution's lease is in its own row. Those of processes of an earlier version have none: see olderProcesses.ts.
  `
  ALTER TABLE executions
    ADD COLUMN available_at BIGINT,
    ADD COLUMN worker_id TEXT;
  CREATE INDEX executions_claim ON executions (queue, available_at, position) WHERE completed_at IS NULL;
  `,
  // Executions are found by their values. Those that end wait in a queue for the texts, which those that are deleted leave: triggers do it
  // for processes of an earlier version, too.
  `
  CREATE TABLE search_queue (
    position BIGINT PRIMARY KEY,
    sequence BIGINT NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    parts INTEGER NOT NULL DEFAULT 0
  );

  CREATE TABLE search_texts (
    position BIGINT NOT NULL,
    part INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (position, part)
  );

  CREATE FUNCTION queue_for_search() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO ${storeSchema}.search_queue (position) VALUES (NEW.position) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER executions_searched AFTER UPDATE OF completed_at ON executions FOR EACH ROW
    WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION queue_for_search();

  CREATE FUNCTION remove_from_search() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    -- First, since it waits for a step that adds the texts.
    DELETE FROM ${storeSchema}.search_queue WHERE position = OLD.position;
    DELETE FROM ${storeSchema}.search_texts WHERE position = OLD.position;
    RETURN NULL;
  END $$;
  CREATE TRIGGER executions_unsearched AFTER DELETE ON executions FOR EACH ROW EXECUTE FUNCTION remove_from_search();

  INSERT INTO search_queue (position) SELECT position FROM executions WHERE completed_at IS NOT NULL;
  `,
  // Executions whose deletion has begun are found.
  'CREATE INDEX executions_deleting ON executions (position) WHERE is_deleting = 1;',
];

/** Of the texts that are searched; only where pg_trgm could be created. */
export const trigramIndex = 'search_texts_trigrams';

/** How long to wait for another process that migrates, and for each table that others use. */
const longestWaitMs = 30_000;
/** How long the database may take to list its tables. */
const longestCheckMs = 10_000;

/**
 * Brings the tables to the newest version; several processes can call it at once. Rejects with a NewerDataError, a TablesError or a
 * StorageError.
 */
export function migrate(address: DatabaseAddress, waitMs: number = longestWaitMs): Promise<void> {
  const settings = {
    ...sessionSettings,
    lock_timeout: String(waitMs),
    // A migration of many rows takes its time.
    statement_timeout: '0',
  };
  return withConnection(address, settings, async (connection) => {
    await lockMigrations(connection, address, waitMs);
    await migrateStore(connection, address);
    await indexTrigrams(connection);
  });
}

/**
 * Rejects with a TablesError when nobody has migrated the database, and with a NewerDataError; changes nothing, and waits for no migration.
 * Tables of an earlier version can be used for what that version had. If others lock the tables, or the database doesn't respond, it
 * rejects with a TablesError after `waitMs`.
 */
export function checkTables(address: DatabaseAddress, waitMs: number = longestCheckMs): Promise<void> {
  return withConnection(address, sessionSettings, async (connection) => {
    const timeout = AbortSignal.timeout(waitMs);
    try {
      await unlessAborted(readVersion(connection, address), timeout);
    } catch (error) {
      if (error === timeout.reason)
        throw new TablesError(
          `The database ${address.name} didn't list its tables within ${waitMs / 1000} s. Check for sessions that lock them, or whether the server is stuck, and try again.`,
        );
      if (!hasNoTable(error)) throw error;
      throw new TablesError(
        `The database ${address.name} has no tables of the service. Run "migrate" first.`,
      );
    }
  });
}

async function withConnection(
  address: DatabaseAddress,
  settings: Readonly<Record<string, string>>,
  work: (connection: postgres.Sql) => Promise<void>,
): Promise<void> {
  const connection = postgres(address.url, {
    ...connectionOptions(1),
    connection: { ...settings, search_path: storeSchema },
  });
  try {
    await work(connection);
  } catch (error) {
    throw toPostgresError(error, address);
  } finally {
    // Releases what it has locked.
    await connection.end({ timeout: 5 });
  }
}

async function lockMigrations(
  connection: postgres.Sql,
  { name }: DatabaseAddress,
  waitMs: number,
): Promise<void> {
  try {
    await connection`SELECT pg_advisory_lock(hashtextextended('workflow_automation/migrations', 0))`;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new TablesError(
      `Another process has been changing the tables of the database ${name} for more than ${waitMs / 1000} s. Wait until it has ended, or end it, and try again.`,
      { cause: error },
    );
  }
}

/** Returns 0 when nobody has migrated the database. */
async function readVersion(connection: postgres.Sql, { name }: DatabaseAddress): Promise<number> {
  const [row] = await connection<{ version: number }[]>`SELECT version FROM schema_version`;
  const version = row?.version ?? 0;
  if (version > migrations.length)
    throw new NewerDataError(
      `The data in ${name} was written by a newer version of the service; update this one, or start it with another database.`,
    );
  return version;
}

async function migrateStore(connection: postgres.Sql, address: DatabaseAddress): Promise<void> {
  await connection.unsafe(`CREATE SCHEMA IF NOT EXISTS ${storeSchema}`);
  await connection.unsafe('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
  const version = await readVersion(connection, address);
  if (version === migrations.length) return;
  await connection.begin(async (transaction) => {
    for (const migration of migrations.slice(version)) await transaction.unsafe(migration);
    await transaction`DELETE FROM schema_version`;
    await transaction`INSERT INTO schema_version (version) VALUES (${migrations.length})`;
  });
}

/** Makes the index of trigrams unless it's there, where the database has pg_trgm or its user may create it; each start tries it. */
async function indexTrigrams(connection: postgres.Sql): Promise<void> {
  const found = await connection`SELECT 1 FROM pg_indexes
    WHERE schemaname = ${storeSchema} AND indexname = ${trigramIndex}`;
  if (found.length > 0) return;
  await connection.unsafe(`DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN NULL;
  END $$`);
  const [extension] = await connection<{ schema: string }[]>`
    SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
    WHERE extname = 'pg_trgm'`;
  if (!extension) return;
  await connection.unsafe(
    `CREATE INDEX ${trigramIndex} ON search_texts USING gin (text ${extension.schema}.gin_trgm_ops)`,
  );
}
