// Searches the executions of a service in the way a client does.
import type { JsonObject } from '../../src/base/json.ts';
import type { Store } from '../../src/service/store/store.ts';
import { call, listAt, type Service, textAt } from './calls.ts';

/** Adds all executions that wait to the index. */
export async function fillIndex(store: Store): Promise<void> {
  while (await store.searchQueue.step());
}

/** Returns what all pages of a search have together. */
export async function search(
  service: Service,
  query: Readonly<Record<string, string>>,
  limit = 50,
): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  let cursor = '';
  do {
    const parameters = new URLSearchParams({ ...query, limit: String(limit), ...(cursor && { cursor }) });
    const { body } = await call(service, 'GET', `/v1/executions?${parameters.toString()}`);
    all.push(...listAt(body, 'data'));
    cursor = typeof body['nextCursor'] === 'string' ? body['nextCursor'] : '';
  } while (cursor !== '');
  return all;
}

/** The ids of what a search finds, newest first. */
export async function idsOf(
  service: Service,
  query: Readonly<Record<string, string>>,
  limit?: number,
): Promise<readonly string[]> {
  return (await search(service, query, limit)).map((execution) => textAt(execution, 'id'));
}

const time = "'2026-01-01T00:00:00.000Z'";

/** SQL for either database that adds so many ended executions of four nodes after a number, with about 600 characters of values each. */
export function endedExecutions(after: number, count: number): readonly string[] {
  const numbers = `WITH RECURSIVE numbers (number) AS
    (SELECT ${after + 1} UNION ALL SELECT number + 1 FROM numbers WHERE number < ${after + count})`;
  return [
    `INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, started_at, input, output)
     ${numbers} SELECT 'exec_' || number, 'wf_' || (number % 50), 'evt_' || number, 'completed', 'api', ${time}, ${time},
       '{"invoice":"INV-' || number || '","customer":{"name":"Customer ' || (number % 977)
         || '","city":"Springfield","note":"Please deliver to the back door"},"total":' || (number % 1009) || '.25}',
       '{"accepted":true,"reference":"R' || (number * 79 % 1000003) || '"}' FROM numbers`,
    `INSERT INTO node_logs (execution_id, sequence, id, node_id, node_name, node_type, iteration, attempt, level, message, status,
       input, output, timestamp, started_at)
     ${numbers}, kinds (kind) AS (SELECT 1 UNION ALL SELECT kind + 1 FROM kinds WHERE kind < 4)
     SELECT 'exec_' || number, kind, 'log_' || number || '_' || kind, 'node_' || kind, 'Node', 'transform', '[]', 1, 'info',
       'node completed', 'completed', '{"invoice":"INV-' || number || '","step":' || kind || '}',
       '{"sum":' || (number * kind) || ',"text":"Step ' || kind || ' of the order was handled by worker ' || (number % 13)
         || ' without a warning"}', ${time}, ${time} FROM numbers CROSS JOIN kinds`,
    `UPDATE executions SET completed_at = ${time} WHERE completed_at IS NULL`,
  ];
}
