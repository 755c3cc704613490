// Some services keep executions below their workflow, so the workflow of each execution that was seen is remembered.

export interface ExecutionPlaces {
  record(executionId: string, workflowId: string): void;
  /** What a path may need to reach an execution. */
  values(executionId: string): { readonly executionId: string; readonly workflowId?: string };
}

/** The oldest are forgotten first. */
const maximum = 10_000;

export function createExecutionPlaces(): ExecutionPlaces {
  const workflowIds = new Map<string, string>();
  return {
    record(executionId, workflowId) {
      workflowIds.delete(executionId);
      workflowIds.set(executionId, workflowId);
      const [oldest] = workflowIds.keys();
      if (workflowIds.size > maximum && oldest !== undefined) workflowIds.delete(oldest);
    },
    values(executionId) {
      const workflowId = workflowIds.get(executionId);
      return workflowId === undefined ? { executionId } : { executionId, workflowId };
    },
  };
}
