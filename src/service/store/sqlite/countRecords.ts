import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { LocalDataCounts } from '../../../domain/localData.ts';

/** Counts the records in a file, also while a service uses it; undefined if it can't be read. */
export function countRecords(path: string): LocalDataCounts | undefined {
  if (!existsSync(path)) return { workflows: 0, executions: 0, apiKeys: 0 };
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    try {
      const count = (what: string): number =>
        Number(database.prepare(`SELECT count(*) AS total FROM ${what}`).get()?.['total']);
      return {
        workflows: count('workflows'),
        executions: count('executions'),
        apiKeys: count('api_keys WHERE revoked_at IS NULL'),
      };
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}
