// Why: what runs workflows, as an interface of our own, so that the engine behind it can be replaced.
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowDefinition } from '../store/store.ts';

export interface EngineStart {
  readonly executionId: string;
  readonly workflowId: string;
  /** The deployed definition as it is now: later edits never touch the run. */
  readonly definition: WorkflowDefinition;
  readonly input: JsonObject;
}

export interface EngineRun {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Why it failed. */
  readonly error: string | null;
}

interface EngineStep {
  /** Unique within the run and stable under replay. */
  readonly name: string;
  readonly status: 'running' | 'completed' | 'failed';
}

/** Runs survive the process: what was under way goes on when an engine opens the same data. */
export interface Engine {
  /** Takes up what an earlier process left unfinished, and begins to work; after a rejection it can be called again. */
  begin(): Promise<void>;
  /** Answers the id of the run once it is kept durably. */
  start(run: EngineStart): Promise<string>;
  get(runId: string): Promise<EngineRun | undefined>;
  /** Newest first, at most 100. */
  list(): Promise<readonly EngineRun[]>;
  /** The attempts of a run's steps, oldest first; those of one millisecond in any order. */
  steps(runId: string): Promise<readonly EngineStep[]>;
  /** Ends what runs here; a node in the middle runs again at the next start. */
  stop(): Promise<void>;
}
