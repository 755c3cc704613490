// The service's tables and the migrations between their versions.
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hashOf } from '../../ids.ts';
import { columns } from '../columns.ts';
import { NewerDataError } from '../storageError.ts';

/** Each entry migrates a file from the previous version to its own (`PRAGMA user_version`). Never edit a released entry. */
const migrations: readonly ((database: DatabaseSync) => void)[] = [
  createTables,
  keepValuesOnce,
  countClaims,
  findStarts,
  countUse,
  keepExchanges,
  keepSecrets,
  keepPlans,
  countCrashesAlone,
  noteMaskedInputs,
  queueByWorkflow,
  bindSecrets,
  findEnds,
  noteVersions,
  leaseExecutions,
  searchExecutions,
  findHalfDeleted,
];

function createTables(database: DatabaseSync): void {
  database.exec(`
  CREATE TABLE workflows (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    ${columns.workflows}
  ) STRICT;
  CREATE INDEX workflows_deployed ON workflows (is_deployed, position);

  CREATE TABLE executions (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    ${columns.executions('TEXT')}
  ) STRICT;
  CREATE INDEX executions_workflow ON executions (workflow_id, position);
  CREATE INDEX executions_status ON executions (status, position);
  CREATE INDEX executions_event ON executions (event_id);

  CREATE TABLE idempotency (
    ${columns.idempotency('TEXT')}
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_age ON idempotency (created_at);

  CREATE TABLE node_runs (
    ${columns.nodeRuns},
    PRIMARY KEY (execution_id, node_id, iteration, attempt)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE node_logs (
    ${columns.nodeLogs}
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE portal_events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    source_id TEXT UNIQUE,
    type TEXT NOT NULL,
    workflow_id TEXT,
    timestamp TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX portal_events_type ON portal_events (type, position);
  CREATE INDEX portal_events_workflow ON portal_events (workflow_id, position);

  CREATE TABLE api_keys (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    ${columns.apiKeys}
  ) STRICT;
  `);
}

/** Version 2: deduplicated values and definitions, resumable loops and waits, one engine run at a time per execution. */
function keepValuesOnce(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE executions ADD COLUMN definition_hash TEXT;
  ALTER TABLE executions ADD COLUMN handovers INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE executions ADD COLUMN is_under_way INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE executions ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX executions_definition ON executions (definition_hash);

  CREATE TABLE definitions (
    ${columns.definitions}
  ) STRICT;

  CREATE TABLE payloads (
    ${columns.payloads},
    UNIQUE (execution_id, hash)
  ) STRICT;

  ALTER TABLE node_runs ADD COLUMN wake_at INTEGER;
  UPDATE node_runs SET wake_at = 0 WHERE status = 'failed';
  ALTER TABLE node_runs ADD COLUMN items TEXT;
  ALTER TABLE node_runs ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE node_runs ADD COLUMN results_size INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE loop_turns (
    ${columns.loopTurns}
  ) STRICT, WITHOUT ROWID;
  `);
  if (hasEngineTables(database)) takeOverDefinitions(database);
}

/** Version 3: what an earlier run of an execution still writes is refused. */
function countClaims(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE executions ADD COLUMN claims INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE node_runs ADD COLUMN claim INTEGER;
  `);
}

/** Version 4: executions are found by their start time without reading all newer ones. */
function findStarts(database: DatabaseSync): void {
  database.exec('CREATE INDEX executions_started ON executions (position >> 10, started_at)');
}

/** Version 5: each row of a log keeps what its execution has used of its limits. */
function countUse(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE node_logs ADD COLUMN used_iterations INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE node_logs ADD COLUMN used_bytes INTEGER NOT NULL DEFAULT 0;
  `);
}

/** Version 6: a log row keeps what an HTTP request node sent and was answered. */
function keepExchanges(database: DatabaseSync): void {
  database.exec('ALTER TABLE node_logs ADD COLUMN exchange TEXT;');
}

/** Version 7: secrets of HTTP request nodes, encrypted. */
function keepSecrets(database: DatabaseSync): void {
  database.exec(`
  CREATE TABLE secrets (
    ${columns.secrets}
  ) STRICT, WITHOUT ROWID;
  `);
}

/** Version 8: an execution can be a draft or the retry of another, whose records it then uses. */
function keepPlans(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE executions ADD COLUMN kind TEXT NOT NULL DEFAULT 'deployed';
  ALTER TABLE executions ADD COLUMN retry_of TEXT;
  ALTER TABLE executions ADD COLUMN based_on TEXT;
  ALTER TABLE executions ADD COLUMN plan TEXT;
  ALTER TABLE executions ADD COLUMN is_deleting INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX executions_retry ON executions (retry_of) WHERE retry_of IS NOT NULL;
  CREATE INDEX executions_base ON executions (based_on) WHERE based_on IS NOT NULL;
  CREATE INDEX executions_draft ON executions (position) WHERE kind = 'draft';
  ALTER TABLE node_runs ADD COLUMN reused_from TEXT;
  ALTER TABLE node_runs ADD COLUMN turns_from TEXT;
  ALTER TABLE node_runs ADD COLUMN turns_taken INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE node_logs ADD COLUMN reused_from TEXT;
  ALTER TABLE node_logs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  `);
}

/** Version 9: crashes of the process count against an execution only while it was the only one that ran. */
function countCrashesAlone(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE executions ADD COLUMN deaths_alone INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE executions ADD COLUMN outlived_ms INTEGER NOT NULL DEFAULT 0;
  `);
}

/** Version 10: an execution says that its input had values of secrets. */
function noteMaskedInputs(database: DatabaseSync): void {
  database.exec('ALTER TABLE executions ADD COLUMN is_input_masked INTEGER NOT NULL DEFAULT 0;');
}

/** Version 11: executions wait in a queue of their workflow, and for a process that has what they need. */
function queueByWorkflow(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE executions ADD COLUMN queue TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE executions ADD COLUMN needs INTEGER NOT NULL DEFAULT 1;
  `);
}

/** Version 12: a secret knows the origins that it may be sent to, separated by spaces; none for any. */
function bindSecrets(database: DatabaseSync): void {
  database.exec(`ALTER TABLE secrets ADD COLUMN origins TEXT NOT NULL DEFAULT '';`);
}

/** Version 13: executions that ended before a time are found without reading those that began earlier. */
function findEnds(database: DatabaseSync): void {
  database.exec(`
  CREATE INDEX executions_draft_ended ON executions (completed_at) WHERE kind = 'draft';
  CREATE INDEX executions_deployed_ended ON executions (completed_at) WHERE kind = 'deployed';
  `);
}

/** Version 14: an execution knows the version of the definition that it ran. */
function noteVersions(database: DatabaseSync): void {
  database.exec('ALTER TABLE executions ADD COLUMN definition_version INTEGER;');
}

/** Version 15: an execution's lease is in its own row, and no table of the engine's library is needed. */
function leaseExecutions(database: DatabaseSync): void {
  database.exec(`
  ALTER TABLE executions ADD COLUMN available_at INTEGER;
  ALTER TABLE executions ADD COLUMN worker_id TEXT;
  UPDATE executions SET available_at = 0 WHERE completed_at IS NULL;
  CREATE INDEX executions_claim ON executions (queue, available_at, position) WHERE completed_at IS NULL;
  DROP TABLE IF EXISTS workflow_signals;
  DROP TABLE IF EXISTS step_attempts;
  DROP TABLE IF EXISTS workflow_runs;
  DROP TABLE IF EXISTS openworkflow_migrations;
  `);
}

/**
 * Version 16: executions are found by their values. Those that end wait in a queue for the index, those that are deleted leave it. The index
 * is merged in small steps (SqliteSearchIndex.tidy), never by a write.
 */
function searchExecutions(database: DatabaseSync): void {
  database.exec(`
  CREATE TABLE search_queue (
    position INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    parts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO search_queue (position) SELECT position FROM executions WHERE completed_at IS NOT NULL;

  CREATE VIRTUAL TABLE search_index USING fts5(
    text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
  INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0), ('crisismerge', 1000);

  -- The parts of an execution after its first, which most have alone.
  CREATE TABLE search_parts (
    position INTEGER NOT NULL,
    part INTEGER NOT NULL,
    PRIMARY KEY (position, part)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER executions_searched AFTER UPDATE OF completed_at ON executions
    WHEN OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL BEGIN
      INSERT INTO search_queue (position) VALUES (NEW.position);
    END;
  CREATE TRIGGER executions_unsearched AFTER DELETE ON executions BEGIN
    DELETE FROM search_queue WHERE position = OLD.position;
    DELETE FROM search_index WHERE rowid = OLD.position * 65536;
    DELETE FROM search_index WHERE rowid IN
      (SELECT position * 65536 + part FROM search_parts WHERE position = OLD.position);
    DELETE FROM search_parts WHERE position = OLD.position;
  END;
  `);
}

/** Version 17: executions whose deletion has begun are found. */
function findHalfDeleted(database: DatabaseSync): void {
  database.exec('CREATE INDEX executions_deleting ON executions (position) WHERE is_deleting = 1');
}

function hasEngineTables(database: DatabaseSync): boolean {
  return database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'workflow_runs'`).get() !== undefined;
}

/** In version 1, an execution's definition was only in the input of its engine run, and the execution's run_id could still be unset. */
function takeOverDefinitions(database: DatabaseSync): void {
  const runs = database
    .prepare(
      `SELECT id, iif(json_valid(input), json_extract(input, '$.executionId'), NULL) AS execution_id,
         iif(json_valid(input), json_extract(input, '$.definition'), NULL) AS definition
       FROM workflow_runs WHERE status IN ('pending', 'running', 'sleeping')`,
    )
    .all();
  const keep = database.prepare('INSERT OR IGNORE INTO definitions (hash, definition) VALUES (?, ?)');
  const name = database.prepare('UPDATE executions SET run_id = ?, definition_hash = ? WHERE id = ?');
  for (const { id, execution_id: executionId, definition } of runs) {
    if (typeof id !== 'string' || typeof executionId !== 'string' || typeof definition !== 'string') continue;
    const hash = hashOf(definition);
    keep.run(hash, definition);
    name.run(id, hash, executionId);
  }
}

/** Migrates a file to the newest version; several processes can call it at once. Throws a NewerDataError. */
export function migrate(database: DatabaseSync): void {
  if (readVersion(database) === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = readVersion(database);
    if (version > migrations.length)
      throw new NewerDataError(
        `The data in ${dirname(database.location() ?? '')} was written by a newer version of the service; update this one, or start it with another folder.`,
      );
    for (const migration of migrations.slice(version)) migration(database);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    // A full disk has ended it already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
