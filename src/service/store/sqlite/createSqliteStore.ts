// Why: builds the whole store on one SQLite connection.
import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { createLocalChanges } from '../changes.ts';
import type { Store } from '../store.ts';
import { SqliteDatabase } from './database.ts';
import { SqliteExecutionStore } from './executions.ts';
import { createKeyStore } from './keys.ts';
import { SqliteNodeRunStore } from './nodeRuns.ts';
import { createPortalEventStore, createPublish } from './portalEvents.ts';
import { SqliteWorkflowStore } from './workflows.ts';

export interface SqliteStoreOptions {
  /** A file, or ":memory:". */
  readonly path: string;
  readonly clock?: Clock;
  /** How many portal events are kept; default 10,000. */
  readonly maximumPortalEvents?: number;
}

/** Throws when the file cannot be opened or was written by a newer version. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  const changes = createLocalChanges();
  const database = new SqliteDatabase(options.path, options.clock ?? systemClock, changes);
  const publish = createPublish(database, options.maximumPortalEvents ?? 10_000);
  return {
    workflows: new SqliteWorkflowStore(database, publish),
    executions: new SqliteExecutionStore(database, publish),
    nodeRuns: new SqliteNodeRunStore(database, publish),
    portalEvents: createPortalEventStore(database, publish),
    keys: createKeyStore(database),
    changes,
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}
