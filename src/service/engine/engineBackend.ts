// What the engine needs of OpenWorkflow's storage, whichever database that is.
import type { Backend } from 'openworkflow/internal';

export interface EngineBackend {
  /** OpenWorkflow's storage of the runs of one queue, which is a namespace there. */
  of(queue: string): Backend;
  /** Returns the names of the queues that have a claimable run, ordered by when it became claimable, and how long the query took. */
  listClaimable(): Promise<{ readonly names: readonly string[]; readonly tookMs: number }>;
  /** Ends the leases that no process can hold any more, so that their runs can be claimed at once. Called before the engine starts. */
  releaseRuns(): Promise<void>;
  stop(): Promise<void>;
}
