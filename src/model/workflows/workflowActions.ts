// What the user does to a workflow, one call each; the answer goes straight into what is shown.
import type { JsonObject } from '../../base/json.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { callOptions } from '../callOptions.ts';
import type { Clients } from '../clients.ts';
import { type ExecutionMatch, resolveExecution } from '../executions/executionLookup.ts';
import type { Executions } from '../executions/executions.ts';
import type { Clock } from '../ports.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { executeOnce, type UnansweredExecution, type WantedExecution } from './executing.ts';
import type { Workflows } from './workflows.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { ServiceClient } from '../../api/client.ts';

/** A workflow that was executed through these actions, and what the service answered. */
interface Executed {
  readonly target: WorkflowTarget;
  readonly trigger: Triggered;
}

/** What is known of the execution behind an answer that named none. */
interface FoundExecution {
  readonly target: WorkflowTarget;
  readonly match: ExecutionMatch;
}

/** Every call goes to the connection it names, whichever is active, and rejects with a ServiceError or the signal's reason. */
export interface WorkflowActions {
  create(connectionId: string, definition: JsonObject, signal?: AbortSignal): Promise<Workflow>;
  import(connectionId: string, definition: JsonObject, signal?: AbortSignal): Promise<Workflow>;
  update(target: WorkflowTarget, changes: JsonObject, signal?: AbortSignal): Promise<Workflow>;
  rename(target: WorkflowTarget, name: string, signal?: AbortSignal): Promise<Workflow>;
  duplicate(target: WorkflowTarget, name: string | undefined, signal?: AbortSignal): Promise<Workflow>;
  delete(target: WorkflowTarget, signal?: AbortSignal): Promise<void>;
  deploy(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow>;
  undeploy(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow>;
  /** Starts one execution. Where it is known, its row is shown at once. Rejects with UnansweredExecution where it may have been started. */
  execute(target: WorkflowTarget, input: JsonObject, signal?: AbortSignal): Promise<Triggered>;
  /** Sends the same execution again, with the same key. */
  executeAgain(
    target: WorkflowTarget,
    unanswered: UnansweredExecution,
    signal?: AbortSignal,
  ): Promise<Triggered>;
  readonly onDidExecute: Event<Executed>;
  /** Looks for the execution behind an answer. known: those of the workflow that were there before the call. */
  findExecution(
    target: WorkflowTarget,
    trigger: Triggered,
    known: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<ExecutionMatch>;
  readonly onDidFindExecution: Event<FoundExecution>;
  readonly onDidDelete: Event<WorkflowTarget>;
}

/** What was deployed just now differs from nothing, also where the answer does not tell. */
function asJustDeployed(workflow: Workflow): Workflow {
  return { ...workflow, hasUndeployedChanges: workflow.hasUndeployedChanges ?? false };
}

/** Builds the actions over the two stores that show their effect. */
export function createWorkflowActions(
  clients: Clients,
  workflows: Workflows,
  executions: Executions,
  clock: Clock,
): WorkflowActions {
  const executed = new Emitter<Executed>();
  const found = new Emitter<FoundExecution>();
  const deleted = new Emitter<WorkflowTarget>();
  type Call = (calls: ServiceClient['workflows'], options: CallOptions) => Promise<Workflow>;
  const changing = async (connectionId: string, call: Call, signal?: AbortSignal): Promise<Workflow> => {
    const workflow = await call(clients.get(connectionId).workflows, callOptions(signal));
    workflows.update(connectionId, workflow);
    return workflow;
  };
  const creating = async (connectionId: string, call: Call, signal?: AbortSignal): Promise<Workflow> => {
    const workflow = await call(clients.get(connectionId).workflows, callOptions(signal));
    workflows.add(connectionId, workflow);
    return workflow;
  };
  const executing = async (
    target: WorkflowTarget,
    wanted: WantedExecution,
    signal?: AbortSignal,
  ): Promise<Triggered> => {
    const trigger = await executeOnce(wanted, signal);
    executions.showTriggered(target, trigger);
    executed.fire({ target, trigger });
    return trigger;
  };
  const update: WorkflowActions['update'] = ({ connectionId, workflowId }, changes, signal) =>
    changing(connectionId, (calls, options) => calls.update(workflowId, changes, options), signal);

  return Object.freeze<WorkflowActions>({
    create: (connectionId, definition, signal) =>
      creating(connectionId, (calls, options) => calls.create(definition, options), signal),
    import: (connectionId, definition, signal) =>
      creating(connectionId, (calls, options) => calls.import(definition, options), signal),
    update,
    rename: (target, name, signal) => update(target, { name }, signal),
    duplicate: ({ connectionId, workflowId }, name, signal) =>
      creating(connectionId, (calls, options) => calls.duplicate(workflowId, name, options), signal),
    deploy: ({ connectionId, workflowId }, signal) =>
      changing(
        connectionId,
        async (calls, options) => asJustDeployed(await calls.deploy(workflowId, options)),
        signal,
      ),
    undeploy: ({ connectionId, workflowId }, signal) =>
      changing(connectionId, (calls, options) => calls.undeploy(workflowId, options), signal),
    onDidExecute: executed.event,
    onDidFindExecution: found.event,
    onDidDelete: deleted.event,
    async delete(target, signal) {
      await clients.get(target.connectionId).workflows.delete(target.workflowId, callOptions(signal));
      workflows.drop(target);
      deleted.fire(target);
    },
    execute(target, input, signal) {
      const { connectionId, workflowId } = target;
      const wanted: WantedExecution = {
        client: clients.get(connectionId),
        clock,
        workflowId,
        input,
        idempotencyKey: crypto.randomUUID(),
        known: new Set(executions.list(target).items.map(({ id }) => id)),
        calledAt: clock.now(),
      };
      return executing(target, wanted, signal);
    },
    executeAgain: (target, { wanted }, signal) => executing(target, wanted, signal),
    async findExecution(target, trigger, known, signal) {
      const client = clients.get(target.connectionId);
      const match = await resolveExecution({ client, clock, trigger, known, ...(signal ? { signal } : {}) });
      found.fire({ target, match });
      return match;
    },
  });
}
