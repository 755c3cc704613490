// The columns that the tables of both databases were released with. Never edit them: migrations change the tables, in both schemas.

/** Each text is the part of a CREATE TABLE that is the same; `orderedText` is the type of a text that is compared by its characters' codes. */
export const columns = {
  workflows: `
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT,
    version INTEGER NOT NULL,
    is_deployed INTEGER NOT NULL,
    deployed_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    draft TEXT NOT NULL,
    deployed TEXT`,

  definitions: `
    hash TEXT NOT NULL PRIMARY KEY,
    definition TEXT NOT NULL`,

  executions: (orderedText: string) => `
    id TEXT NOT NULL UNIQUE,
    workflow_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    run_id TEXT,
    status TEXT NOT NULL,
    cause TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at ${orderedText},
    completed_at TEXT,
    error TEXT,
    input TEXT NOT NULL,
    output TEXT`,

  idempotency: (orderedText: string) => `
    key_id TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    execution_id TEXT NOT NULL,
    created_at ${orderedText} NOT NULL,
    PRIMARY KEY (key_id, key)`,

  payloads: `
    execution_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    value TEXT NOT NULL`,

  nodeRuns: `
    execution_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    iteration TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    was_interrupted INTEGER NOT NULL DEFAULT 0,
    started_at TEXT NOT NULL,
    output TEXT,
    error TEXT`,

  loopTurns: `
    execution_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    iteration TEXT NOT NULL,
    turn INTEGER NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (execution_id, node_id, iteration, turn)`,

  nodeLogs: `
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
    PRIMARY KEY (execution_id, sequence)`,

  apiKeys: `
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    preview TEXT NOT NULL,
    expiration TEXT NOT NULL,
    expires_at TEXT,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    request_count INTEGER NOT NULL DEFAULT 0,
    revoked_at TEXT`,

  secrets: `
    name TEXT NOT NULL PRIMARY KEY,
    salt TEXT NOT NULL,
    key_id TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    revision TEXT NOT NULL`,
};
