import type { Disposable } from '../../../base/disposable.ts';
import { type Logger, silentLogger } from '../../../base/logger.ts';
import { type Now, systemClock } from '../../../base/time.ts';
import { type StorageProblem, withStorage } from '../storageError.ts';
import type { Store, Topic } from '../store.ts';
import { SqliteDatabase } from './database.ts';
import { SqliteExecutionStore } from './executions.ts';
import { SqliteKeyStore } from './keys.ts';
import { SqliteNodeRunStore } from './nodeRuns.ts';
import { SqlitePortalEventStore } from './portalEvents.ts';
import { shrinkFile } from './prune.ts';
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

export class SqliteStore implements Store {
  readonly workflows: SqliteWorkflowStore;
  readonly executions: SqliteExecutionStore;
  readonly nodeRuns: SqliteNodeRunStore;
  readonly portalEvents: SqlitePortalEventStore;
  readonly keys: SqliteKeyStore;
  readonly #database: SqliteDatabase;
  readonly #path: string;

  /** Throws a StorageError when the file can't be used, another error when a newer version has written it. */
  constructor({
    path,
    now = systemClock.now,
    maximumPortalEvents = 10_000,
    maximumPages,
    logger = silentLogger,
  }: SqliteStoreOptions) {
    const database = withStorage(path, () => new SqliteDatabase(path, now, maximumPages));
    this.#path = path;
    this.#database = database;
    this.portalEvents = new SqlitePortalEventStore(database, maximumPortalEvents);
    this.workflows = new SqliteWorkflowStore(database, this.portalEvents);
    this.executions = new SqliteExecutionStore(database, this.portalEvents);
    this.nodeRuns = new SqliteNodeRunStore(database, this.portalEvents);
    this.keys = new SqliteKeyStore(database, logger);
  }

  subscribe(topic: Topic, listener: () => void): Disposable {
    return this.#database.subscribe(topic, listener);
  }

  writeProblem(): StorageProblem | undefined {
    return this.#database.writeProblem;
  }

  shrink(pages: number): Promise<boolean> {
    return Promise.resolve(shrinkFile(this.#database, this.#path, pages));
  }

  close(): Promise<void> {
    this.keys.dispose();
    this.#database.close();
    return Promise.resolve();
  }
}
