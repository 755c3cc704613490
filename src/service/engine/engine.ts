// The engine's interface, which keeps the rest of the service independent of OpenWorkflow.

/** Runs executions. They survive the process: an engine that opens the same data continues them. */
export interface Engine {
  /** Starts with the unfinished executions of an earlier process; can be called again after a rejection. */
  begin(): Promise<void>;
  /** Starts a stored execution; if that fails, the engine retries it later. */
  start(executionId: string): Promise<void>;
  /** Stops all work; interrupted nodes run again at the next start. */
  stop(): Promise<void>;
}
