import { type Logger, silentLogger } from '../../../base/logger.ts';
import { type Now, systemClock } from '../../../base/time.ts';
import { createLocalChanges } from '../changes.ts';
import { shrinkFile } from './shrink.ts';
import { withStorage } from '../storageError.ts';
import type { Store } from '../store.ts';
import { SqliteDatabase } from './database.ts';
import { SqliteExecutionStore } from './executions.ts';
import { createKeyStore, KeyUses } from './keys.ts';
import { SqliteNodeRunStore } from './nodeRuns.ts';
import { createPortalEventStore, createPublish } from './portalEvents.ts';
import { SqliteWorkflowStore } from './workflows.ts';

export interface SqliteStoreOptions {
  /** A file, or ":memory:". */
  readonly path: string;
  readonly now?: Now;
  /** The maximum number of stored portal events; default 10,000. */
  readonly maximumPortalEvents?: number;
  /** The maximum size of the file in pages; for tests of a full disk. */
  readonly maximumPages?: number;
  /** Logs failures of deferred writes; silent by default. */
  readonly logger?: Logger;
}

/** Throws a StorageError when the file can't be used, another error when a newer version has written it. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const changes = createLocalChanges();
  const { path, now = systemClock.now, maximumPages } = options;
  const database = withStorage(path, () => new SqliteDatabase(path, now, changes, maximumPages));
  const uses = new KeyUses(database, options.logger ?? silentLogger);
  const publish = createPublish(database, options.maximumPortalEvents ?? 10_000);
  return {
    workflows: new SqliteWorkflowStore(database, publish),
    executions: new SqliteExecutionStore(database, publish),
    nodeRuns: new SqliteNodeRunStore(database, publish),
    portalEvents: createPortalEventStore(database, publish),
    keys: createKeyStore(database, uses),
    changes,
    writeProblem: () => database.writeProblem,
    shrink: (pages) => Promise.resolve(shrinkFile(database, path, pages)),
    close: () => {
      uses.dispose();
      database.close();
      return Promise.resolve();
    },
  };
}
