// The service's storage, on any database that implements SqlDatabase.
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Now } from '../../base/time.ts';
import type { SqlDatabase } from './database.ts';
import { ExecutionRecords } from './executionRecords.ts';
import { ExecutionStore } from './executions.ts';
import { KeyStore } from './keys.ts';
import { NodeRunStore } from './nodeRuns.ts';
import { type EventPositions, type PortalEventLimits, PortalEventStore } from './portalEvents.ts';
import { SecretStore } from './secrets.ts';
import type { SearchIndex } from './search/searchIndex.ts';
import { SearchQueue } from './search/searchQueue.ts';
import type { StorageProblem } from './storageError.ts';
import type { Topic } from './topics.ts';
import { WorkflowStore } from './workflows.ts';

export interface StoreOptions {
  /** Default: the system's time. */
  readonly now?: Now;
  /** Default: 10,000 events with 256 MiB of data. */
  readonly eventLimits?: PortalEventLimits;
  /** Logs failures of deferred writes; silent by default. */
  readonly logger?: Logger;
}

export abstract class Store {
  readonly workflows: WorkflowStore;
  readonly executions: ExecutionStore;
  readonly records: ExecutionRecords;
  readonly nodeRuns: NodeRunStore;
  readonly portalEvents: PortalEventStore;
  readonly keys: KeyStore;
  readonly secrets: SecretStore;
  readonly searchQueue: SearchQueue;
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase, places: EventPositions, index: SearchIndex, logger: Logger) {
    this.#database = database;
    this.portalEvents = new PortalEventStore(database, places);
    this.workflows = new WorkflowStore(database, this.portalEvents);
    this.executions = new ExecutionStore({ database, portalEvents: this.portalEvents }, index);
    this.searchQueue = new SearchQueue(database, index);
    this.records = new ExecutionRecords(database);
    this.nodeRuns = new NodeRunStore(database);
    this.keys = new KeyStore(database, logger);
    this.secrets = new SecretStore(database);
  }

  /** Announces new rows without carrying them: listeners read on from their own position. */
  subscribe(topic: Topic, listener: () => void): Disposable {
    return this.#database.subscribe(topic, listener);
  }

  /** Calls the listeners of a topic, also those in other processes on the same database. */
  announce(topic: Topic): void {
    this.#database.announce(topic);
  }

  /** The problem that the last reads or writes had; undefined when they succeeded. */
  problem(): StorageProblem | undefined {
    return this.#database.problem;
  }

  /**
   * Deletes some portal events over the limits, or returns at most this number of free pages to the disk. Returns false when there was
   * nothing to do.
   */
  abstract shrink(pages: number): Promise<boolean>;

  /** Whether processes that compare no needs use the same data now (store/needs.ts). */
  abstract hasOlderProcesses(): Promise<boolean>;

  /**
   * Makes executions claimable that no process can have any more. Called when an engine starts, and again a while later as long as it
   * returns false: other processes may still have some.
   */
  abstract releaseLeases(): Promise<boolean>;

  async close(): Promise<void> {
    await this.keys.close();
    await this.#database.close();
  }
}
