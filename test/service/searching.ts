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
