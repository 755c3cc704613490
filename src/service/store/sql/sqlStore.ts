import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import type { StorageProblem } from '../storageError.ts';
import type { Store, Topic } from '../store.ts';
import type { SqlDatabase } from './database.ts';
import { SqlExecutionStore } from './executions.ts';
import { SqlKeyStore } from './keys.ts';
import { SqlNodeRunStore } from './nodeRuns.ts';
import { type EventPlaces, SqlPortalEventStore } from './portalEvents.ts';
import { SqlWorkflowStore } from './workflows.ts';

/** The store on any database that implements SqlDatabase. */
export abstract class SqlStore implements Store {
  readonly workflows: SqlWorkflowStore;
  readonly executions: SqlExecutionStore;
  readonly nodeRuns: SqlNodeRunStore;
  readonly portalEvents: SqlPortalEventStore;
  readonly keys: SqlKeyStore;
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase, places: EventPlaces, logger: Logger) {
    this.#database = database;
    this.portalEvents = new SqlPortalEventStore(database, places);
    this.workflows = new SqlWorkflowStore(database, this.portalEvents);
    this.executions = new SqlExecutionStore({ database, portalEvents: this.portalEvents });
    this.nodeRuns = new SqlNodeRunStore(database);
    this.keys = new SqlKeyStore(database, logger);
  }

  subscribe(topic: Topic, listener: () => void): Disposable {
    return this.#database.subscribe(topic, listener);
  }

  announce(topic: Topic): void {
    this.#database.announce(topic);
  }

  problem(): StorageProblem | undefined {
    return this.#database.problem;
  }

  abstract shrink(pages: number): Promise<boolean>;

  async close(): Promise<void> {
    await this.keys.close();
    await this.#database.close();
  }
}
