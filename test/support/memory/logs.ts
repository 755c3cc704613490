// Feeds and the store of their rows, as the app makes them.
import { silentLogger } from '../../../src/base/logger.ts';
import { LogFeed } from '../../../src/model/log/logFeed.ts';
import { LogTable } from '../../../src/model/log/logTable.ts';
import { RowStore, type RowStoreOptions } from '../../../src/model/log/rowStore.ts';
import { logLines } from '../../../src/words/renderLogLine.ts';

export function createRowStore(options: Partial<RowStoreOptions> = {}): RowStore {
  return new RowStore({ logger: silentLogger, lines: logLines, keyPrefix: () => 'svc_sk_', ...options });
}

/** A feed with a store of its own. */
export function createFeed(onDidChange?: () => void): LogFeed {
  return new LogFeed(new LogTable(createRowStore()), onDidChange);
}
