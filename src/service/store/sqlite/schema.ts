// Why: the tables of the service, and the one place that knows which version of them a file has.
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** Each entry takes a file from the version before it to its own (`PRAGMA user_version`); never edit one that was shipped. */
const migrations = [
  `
  CREATE TABLE workflows (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT,
    version INTEGER NOT NULL,
    is_deployed INTEGER NOT NULL,
    deployed_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    draft TEXT NOT NULL,
    deployed TEXT
  ) STRICT;
  CREATE INDEX workflows_deployed ON workflows (is_deployed, position);

  CREATE TABLE executions (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workflow_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    run_id TEXT,
    status TEXT NOT NULL,
    cause TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    completed_at TEXT,
    error TEXT,
    input TEXT NOT NULL,
    output TEXT
  ) STRICT;
  CREATE INDEX executions_workflow ON executions (workflow_id, position);
  CREATE INDEX executions_status ON executions (status, position);
  CREATE INDEX executions_event ON executions (event_id);

  CREATE TABLE idempotency (
    key_id TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (key_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_age ON idempotency (created_at);

  CREATE TABLE node_runs (
    execution_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    iteration TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    was_interrupted INTEGER NOT NULL DEFAULT 0,
    started_at TEXT NOT NULL,
    output TEXT,
    error TEXT,
    PRIMARY KEY (execution_id, node_id, iteration, attempt)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE node_logs (
    execution_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    node_name TEXT NOT NULL,
    node_type TEXT NOT NULL,
    iteration TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL,
    status TEXT NOT NULL,
    input TEXT,
    output TEXT,
    error TEXT,
    timestamp TEXT NOT NULL,
    started_at TEXT NOT NULL,
    completed_at TEXT,
    PRIMARY KEY (execution_id, sequence)
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
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    preview TEXT NOT NULL,
    expiration TEXT NOT NULL,
    expires_at TEXT,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    request_count INTEGER NOT NULL DEFAULT 0,
    revoked_at TEXT
  ) STRICT;
  `,
];

/** The data were written by a version that knows more tables than this one; nothing was changed. */
export class NewerDataError extends Error {
  override readonly name = 'NewerDataError';
}

/** Brings a file to the newest version; safe when several processes open it at once. Throws a NewerDataError. */
export function migrate(database: DatabaseSync): void {
  if (readVersion(database) === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = readVersion(database);
    if (version > migrations.length)
      throw new NewerDataError(
        `The data in ${dirname(database.location() ?? '')} were written by a newer version of the service; update this one, or start it with another folder.`,
      );
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
