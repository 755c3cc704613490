// The store's view of the engine's own tables: the runs of an execution, whose idempotency keys have the form "EXECUTION_ID/HANDOVERS". An
// update of the openworkflow package has to be checked against this file.
import type { Row, Transaction } from './database.ts';
import { integer, nullableText, text } from './rows.ts';

export const runsTable = 'workflow_runs';
/** The first column of the engine's keys. */
const namespace = 'default';
/** The workflow of all runs. */
export const runsWorkflow = 'interpreter';

/** The condition for a run that hasn't ended. */
export const isComing = `workflow_runs.namespace_id = '${namespace}' AND workflow_runs.workflow_name = '${runsWorkflow}'
  AND workflow_runs.status IN ('pending', 'running', 'sleeping')`;

/**
 * SQL for indexes in which the engine finds the next run to claim. With its own ones it reads and sorts all runs that haven't ended, for
 * each claim. `schema`: of the table, with a dot, or ''.
 */
export function claimIndexes(schema: string): string {
  return `
    CREATE INDEX IF NOT EXISTS workflow_runs_claim ON ${schema}workflow_runs
      (namespace_id, (CASE WHEN status = 'pending' THEN 0 ELSE 1 END), available_at, created_at)
      WHERE status IN ('pending', 'running', 'sleeping');
    CREATE INDEX IF NOT EXISTS workflow_runs_deadline ON ${schema}workflow_runs (namespace_id, deadline_at)
      WHERE deadline_at IS NOT NULL;`;
}

/** Deletes the engine's runs of an execution: those with its idempotency keys and the one in its run_id. */
export async function deleteRuns(transaction: Transaction, row: Row): Promise<void> {
  const runs = await transaction.all(
    `WITH RECURSIVE numbers (number) AS
       (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < CAST(? AS INTEGER))
     SELECT id FROM workflow_runs WHERE namespace_id = ? AND id = ?
     UNION SELECT id FROM numbers JOIN workflow_runs
       ON idempotency_key = CAST(? AS TEXT) || '/' || CAST(number AS TEXT)
       AND namespace_id = ? AND workflow_name = ?`,
    integer(row, 'handovers'),
    namespace,
    nullableText(row, 'run_id'),
    text(row, 'id'),
    namespace,
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
        namespace,
        text(run, 'id'),
      );
}
