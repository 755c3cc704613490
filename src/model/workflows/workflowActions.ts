// Why: what the user does to a workflow, one call each; the answer goes straight into what is shown.
import type { TriggerReading, WorkflowReading } from '../../api/readings.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Clients } from '../clients.ts';
import type { Executions } from '../executions/executions.ts';
import type { WorkflowTarget } from '../targets.ts';
import type { Workflows } from './workflows.ts';

/** Every call goes to the connection it names, whichever is active, and rejects with a ServiceError or the signal's reason. */
export interface WorkflowActions {
  create(connectionId: string, definition: JsonObject, signal?: AbortSignal): Promise<WorkflowReading>;
  import(connectionId: string, definition: JsonObject, signal?: AbortSignal): Promise<WorkflowReading>;
  update(target: WorkflowTarget, changes: JsonObject, signal?: AbortSignal): Promise<WorkflowReading>;
  rename(target: WorkflowTarget, name: string, signal?: AbortSignal): Promise<WorkflowReading>;
  duplicate(target: WorkflowTarget, name: string | undefined, signal?: AbortSignal): Promise<WorkflowReading>;
  delete(target: WorkflowTarget, signal?: AbortSignal): Promise<void>;
  deploy(target: WorkflowTarget, signal?: AbortSignal): Promise<WorkflowReading>;
  undeploy(target: WorkflowTarget, signal?: AbortSignal): Promise<WorkflowReading>;
  /** Sent once. Where the answer names the execution, its row is shown at once. */
  execute(target: WorkflowTarget, input: JsonObject, signal?: AbortSignal): Promise<TriggerReading>;
}

export declare function createWorkflowActions(
  clients: Clients,
  workflows: Workflows,
  executions: Executions,
): WorkflowActions;
