// The store's view of the engine's own tables: the runs of an execution, whose namespace is the execution's queue, and whose idempotency
// keys have the form "EXECUTION_ID/HANDOVERS". Check every update of the openworkflow package against this file.
import type { SqlRow, Transaction } from './database.ts';
import { integer, nullableText, text } from './rows.ts';

export const runsTable = 'workflow_runs';
/** The workflow of all runs. */
export const runsWorkflow = 'interpreter';

const hasNotEnded = `status IN ('pending', 'running', 'sleeping')`;
/** The condition for a run of the execution that hasn't ended. */
export const isPending = `workflow_runs.namespace_id = executions.queue AND workflow_runs.workflow_name = '${runsWorkflow}'
  AND workflow_runs.${hasNotEnded}`;
const rank = `CASE WHEN status = 'pending' THEN 0 ELSE 1 END`;

/**
 * SQL for indexes in which the engine finds the next run to claim. With its own indexes it reads and sorts all runs that haven't ended, for
 * each claim. `schema`: of the table, with a dot, or ''.
 */
export function claimIndexes(schema: string): string {
  return `
    CREATE INDEX IF NOT EXISTS workflow_runs_claim ON ${schema}workflow_runs
      (namespace_id, (${rank}), available_at, created_at)
      WHERE ${hasNotEnded};
    CREATE INDEX IF NOT EXISTS workflow_runs_deadline ON ${schema}workflow_runs (namespace_id, deadline_at)
      WHERE deadline_at IS NOT NULL;`;
}

/**
 * SQL that lists the queues that have a claimable run, ordered by when it became claimable. It steps through the index from queue to queue,
 * so its cost grows with the queues, not with the runs. `schema`: of the table, with a dot, or ''; `now`: SQL in the form of its times.
 */
export function claimableQueues(schema: string, now: string): string {
  const runs = `${schema}workflow_runs WHERE ${hasNotEnded}`;
  const next = (condition: string): string =>
    `(SELECT namespace_id FROM ${runs} ${condition} ORDER BY namespace_id LIMIT 1)`;
  const oldest = (ranked: number): string =>
    `(SELECT available_at FROM ${runs} AND namespace_id = queues.name AND (${rank}) = ${ranked} AND available_at <= ${now}
      ORDER BY available_at LIMIT 1)`;
  return `
    WITH RECURSIVE queues (name) AS (
      SELECT ${next('')}
      UNION ALL SELECT ${next('AND namespace_id > queues.name')} FROM queues WHERE queues.name IS NOT NULL)
    SELECT name FROM (SELECT name, coalesce(${oldest(0)}, ${oldest(1)}) AS since FROM queues WHERE name IS NOT NULL) AS found
    WHERE since IS NOT NULL ORDER BY since`;
}

/** Deletes the engine's runs of an execution: those with its idempotency keys and the one in its run_id. */
export async function deleteRuns(transaction: Transaction, row: SqlRow): Promise<void> {
  const queue = text(row, 'queue');
  const runs = await transaction.all(
    `WITH RECURSIVE numbers (number) AS
       (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < CAST(? AS INTEGER))
     SELECT id FROM workflow_runs WHERE namespace_id = ? AND id = ?
     UNION SELECT id FROM numbers JOIN workflow_runs
       ON idempotency_key = CAST(? AS TEXT) || '/' || CAST(number AS TEXT)
       AND namespace_id = ? AND workflow_name = ?`,
    integer(row, 'handovers'),
    queue,
    nullableText(row, 'run_id'),
    text(row, 'id'),
    queue,
    runsWorkflow,
  );
  for (const run of runs)
    for (const [table, column] of [
      ['workflow_signals', 'workflow_run_id'],
      ['step_attempts', 'workflow_run_id'],
      ['workflow_runs', 'id'],
    ] as const)
      await transaction.run(
        `DELETE FROM ${table} WHERE namespace_id = ? AND ${column} = ?`,
        queue,
        text(run, 'id'),
      );
}
