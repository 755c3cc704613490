// What carries executions out, as an interface of our own, so that the engine behind it can be replaced.

/** Executions survive the process: what was under way goes on when an engine opens the same data. */
export interface Engine {
  /** Begins to work, with what an earlier process left unfinished; after a rejection it can be called again. */
  begin(): Promise<void>;
  /** Carries out an execution that is kept; one that cannot be handed over at once is tried again. */
  start(executionId: string): Promise<void>;
  /** Ends what runs here; a node in the middle runs again at the next start. */
  stop(): Promise<void>;
}
