// Fills a database by SQL with what a service has after so many executions.
import type postgres from 'postgres';

/** Every hundredth failed, and every thousandth still runs. */
const statusOf = `CASE WHEN number % 1000 = 7 THEN 'running' WHEN number % 100 = 3 THEN 'failed' ELSE 'completed' END`;
const timeOf = `to_char(timestamp '2026-01-01' + number * interval '10 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** As many as the service keeps. */
const maximumPortalEvents = 10_000;

export const workflows = 1000;
export const busyWorkflow = 'wf_1';
export const loggedExecution = 'exec_1';
/** A workflow with a few executions at either size. */
export const quietWorkflow = 'wf_quiet';

/** The start of the execution with this number, as an ISO timestamp. */
export function startOf(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 10_000).toISOString();
}

export async function fillWorkflows(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(
    `INSERT INTO workflows (id, name, version, is_deployed, created_at, updated_at, draft)
     SELECT 'wf_' || number, 'Job ' || number, 1, number % 2, ${timeOf}, ${timeOf}, '{"nodes":[],"edges":[],"settings":{}}'
     FROM generate_series(1, ${workflows}) AS number`,
  );
}

/** Adds the executions after `from`, up to `to`, with as many log rows of one of them and as many portal events. */
export async function fillExecutions(sql: postgres.Sql, from: number, to: number): Promise<void> {
  const numbers = `generate_series(${from + 1}, ${to}) AS number`;
  await sql.unsafe(
    `INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, started_at, completed_at, input)
     SELECT 'exec_' || number,
       CASE WHEN number <= 20 THEN '${quietWorkflow}' WHEN number % 3 = 0 THEN '${busyWorkflow}' ELSE 'wf_' || number % ${workflows} END,
       'evt_' || number, ${statusOf}, 'api', ${timeOf}, ${timeOf}, ${timeOf}, '{}' FROM ${numbers}`,
  );
  await sql.unsafe(
    `INSERT INTO node_logs (execution_id, sequence, id, node_id, node_name, node_type, iteration, attempt, level, message,
       status, timestamp, started_at)
     SELECT '${loggedExecution}', number, 'log_' || number, 'node_' || number % 10, 'Node', 'log', '[]', 1, 'info', 'Hello',
       'running', ${timeOf}, ${timeOf} FROM ${numbers}`,
  );
  await sql.unsafe(
    `INSERT INTO portal_events (id, position, type, workflow_id, timestamp, data)
     SELECT 'evt_' || number, number, CASE WHEN number % 10 = 0 THEN 'execution.failed' ELSE 'node.completed' END,
       CASE WHEN number % 3 = 0 THEN '${busyWorkflow}' ELSE 'wf_' || number % ${workflows} END, ${timeOf}, '{}'
     FROM ${numbers} WHERE number > ${to - maximumPortalEvents}`,
  );
  await sql.unsafe('DELETE FROM portal_events WHERE position <= $1::bigint', [to - maximumPortalEvents]);
  await sql.unsafe('VACUUM ANALYZE');
}
