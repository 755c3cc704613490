import type { DeployedElsewhere, ServicePort, TriggersOptions } from '../../api/servicePort.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { Clock } from '../../base/time.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import { formatOf } from '../../domain/definitionFormat.ts';
import type { Execution, Triggered } from '../../domain/execution.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import type { StartTrigger } from '../../domain/triggers.ts';
import { refuseArchived, type Workflow } from '../../domain/workflow.ts';
import type { DraftRequest, RetryRequest } from '../../protocol/requests.ts';
import type { Clients } from '../connections/clients.ts';
import { type ExecutionMatch, resolveExecution } from '../executions/executionLookup.ts';
import type { Executions } from '../executions/executions.ts';
import { executeOnce, type UnconfirmedExecution, type WantedExecution } from './executing.ts';
import type { Workflows } from './workflows.ts';

/** The service's response to an execute call, with what's needed to find an execution that it doesn't name. */
export interface TriggeredExecution extends Triggered {
  /** The executions that were known before the call. */
  readonly known: ReadonlySet<string>;
  readonly purpose?: Purpose | undefined;
}

interface StartOptions {
  readonly signal?: AbortSignal | undefined;
  /** The node that it begins at, where the service reports several. */
  readonly trigger?: string | undefined;
  /** Default: "asked". What a test starts is announced to nobody else. */
  readonly purpose?: Purpose | undefined;
}

/** A workflow that was executed through these actions, and the service's response. */
interface Executed {
  readonly target: WorkflowTarget;
  readonly trigger: Triggered;
}

/** The result of looking for an execution that the response didn't name. */
interface FoundExecution {
  readonly target: WorkflowTarget;
  readonly match: ExecutionMatch;
}

/** A deployment that the service has responded to. */
interface Deployment {
  readonly target: WorkflowTarget;
  /** What is wrong with the definition; empty if it's deployed. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
}

type WorkflowCall = (calls: ServicePort['workflows'], options: CallOptions) => Promise<Workflow>;

export interface WorkflowActionsDeps {
  readonly clients: Clients;
  /** Shows the effects of the actions, as `executions` does. */
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly clock: Clock;
}

/**
 * The actions on workflows and executions. Each call uses the connection it names, whichever is active, and its result is shown at once.
 * Rejects with a ServiceError or the signal's reason.
 */
export class WorkflowActions implements Disposable {
  readonly #deps: WorkflowActionsDeps;
  readonly #owned = new DisposableStore();
  readonly #executed = this.#owned.add(new Emitter<Executed>());
  readonly #found = this.#owned.add(new Emitter<FoundExecution>());
  readonly #deleted = this.#owned.add(new Emitter<WorkflowTarget>());
  readonly #deployments = this.#owned.add(new Emitter<Deployment>());
  readonly onDidExecute = this.#executed.event;
  readonly onDidFindExecution = this.#found.event;
  readonly onDidDelete = this.#deleted.event;
  readonly onDidReceiveDeployment = this.#deployments.event;

  constructor(deps: WorkflowActionsDeps) {
    this.#deps = deps;
  }

  /** Sends nothing of a definition that isn't a document of the service's kind, and rejects with "otherFormat". */
  async create(connectionId: string, definition: JsonObject, signal?: AbortSignal): Promise<Workflow> {
    this.#requireFormat(connectionId, definition);
    return this.#add(connectionId, (calls, options) => calls.create(definition, options), signal);
  }

  /** The same for a definition that was exported. */
  async import(connectionId: string, definition: JsonObject, options: CallOptions = {}): Promise<Workflow> {
    this.#requireFormat(connectionId, definition);
    return this.#add(connectionId, (calls) => calls.import(definition, options));
  }

  duplicate(target: WorkflowTarget, name: string | undefined, signal?: AbortSignal): Promise<Workflow> {
    const { connectionId, workflowId } = target;
    return this.#add(connectionId, (calls, options) => calls.duplicate(workflowId, name, options), signal);
  }

  update(target: WorkflowTarget, changes: JsonObject, signal?: AbortSignal): Promise<Workflow> {
    const { connectionId, workflowId } = target;
    return this.#change(connectionId, (calls, options) => calls.update(workflowId, changes, options), signal);
  }

  rename(target: WorkflowTarget, name: string): Promise<Workflow> {
    return this.update(target, { name });
  }

  /** Throws "archived" for a workflow that is known to be. Asks the service nothing. */
  refuseArchived(target: WorkflowTarget): void {
    const known = this.#deps.workflows.find(target);
    if (known !== undefined) refuseArchived(known, target.connectionId);
  }

  async deploy(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow> {
    return this.#deploy(target, (calls, options) => calls.deploy(target.workflowId, options), signal);
  }

  /** Deploys at new addresses what can't be at its own, see `WorkflowPort.deployElsewhere`. */
  async deployElsewhere(target: WorkflowTarget): Promise<DeployedElsewhere> {
    const { connectionId, workflowId } = target;
    let moved: DeployedElsewhere['moved'] = [];
    const deploy: WorkflowCall = async (calls, options) => {
      const deployed = await calls.deployElsewhere?.(workflowId, options);
      if (deployed === undefined)
        throw notOffered(connectionId, 'Workflows have no addresses on this service.');
      ({ moved } = deployed);
      return deployed.workflow;
    };
    return { workflow: await this.#deploy(target, deploy), moved };
  }

  async #deploy(target: WorkflowTarget, call: WorkflowCall, signal?: AbortSignal): Promise<Workflow> {
    const { connectionId } = target;
    this.refuseArchived(target);
    const deploy: WorkflowCall = async (calls, options) => {
      const workflow = await call(calls, options);
      // A newly deployed workflow has no undeployed changes, even if the response doesn't say so.
      return { ...workflow, hasUndeployedChanges: workflow.hasUndeployedChanges ?? false };
    };
    this.#setDeploying(target, true);
    try {
      const workflow = await this.#change(connectionId, deploy, signal);
      this.#deployments.fire({ target, faults: [] });
      return workflow;
    } catch (error) {
      this.#setDeploying(target, false);
      if (error instanceof ServiceError && error.reason.kind === 'invalid')
        this.#deployments.fire({ target, faults: error.reason.details });
      throw error;
    }
  }

  /** Shows that a deployment is under way, or that it came to nothing, where it takes longer than its response. */
  #setDeploying(target: WorkflowTarget, isDeploying: boolean): void {
    const { clients, workflows } = this.#deps;
    const known = workflows.find(target);
    if (known === undefined || !clients.get(target.connectionId).traits.deploysLater) return;
    const { isDeploying: _, ...workflow } = known;
    workflows.update(target.connectionId, isDeploying ? { ...workflow, isDeploying } : workflow);
  }

  undeploy({ connectionId, workflowId }: WorkflowTarget, signal?: AbortSignal): Promise<Workflow> {
    return this.#change(connectionId, (calls, options) => calls.undeploy(workflowId, options), signal);
  }

  /** From the workflow's next execution on, its nodes are reported while they run. */
  saveProgress({ connectionId, workflowId }: WorkflowTarget): Promise<Workflow> {
    return this.#change(connectionId, (calls, options) => calls.saveProgress(workflowId, options));
  }

  archive(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow> {
    return this.#putAway(target, 'archive', signal);
  }

  unarchive(target: WorkflowTarget): Promise<Workflow> {
    return this.#putAway(target, 'unarchive');
  }

  async delete(target: WorkflowTarget, signal?: AbortSignal): Promise<void> {
    const { clients, workflows } = this.#deps;
    await clients.get(target.connectionId).workflows.delete(target.workflowId, { signal });
    workflows.drop(target);
    this.#deleted.fire(target);
  }

  /** Starts one execution and shows its row once it's known. Rejects with UnconfirmedExecution if it may have been started. */
  async execute(
    target: WorkflowTarget,
    input: JsonObject,
    { signal, ...options }: StartOptions = {},
  ): Promise<TriggeredExecution> {
    this.refuseArchived(target);
    return this.#execute(target, { ...this.#want(target), input, ...options }, signal);
  }

  /** What executions can begin at, see `WorkflowPort.triggers`; undefined where a service has nothing to choose from. */
  async triggers(
    { connectionId, workflowId }: WorkflowTarget,
    options: TriggersOptions,
  ): Promise<readonly StartTrigger[] | undefined> {
    return this.#deps.clients.get(connectionId).workflows.triggers?.(workflowId, options);
  }

  /** Lets the service's MCP server execute the workflow. */
  allowMcp({ connectionId, workflowId }: WorkflowTarget): Promise<Workflow> {
    const allow: WorkflowCall = async (calls, options) =>
      calls.allowMcp?.(workflowId, options) ?? calls.getOne(workflowId, options);
    return this.#change(connectionId, allow);
  }

  /** Executes a definition as it is, saved and deployed or not; else like `execute`. */
  async executeDraft(
    target: WorkflowTarget,
    draft: DraftRequest,
    { signal, ...options }: StartOptions = {},
  ): Promise<TriggeredExecution> {
    this.refuseArchived(target);
    return this.#execute(target, { ...this.#want(target), input: draft.input, ...options, draft }, signal);
  }

  /**
   * Starts one execution that goes on from where another one failed or was cancelled, or from a node of it. Reads a record that isn't known
   * first, as `cancel` does; else like `execute`.
   */
  async retry(
    { connectionId, executionId }: ExecutionTarget,
    request: RetryRequest,
    signal?: AbortSignal,
  ): Promise<TriggeredExecution> {
    const { workflowId } = await this.#deps.executions.get({ connectionId, executionId }, signal);
    const target = { connectionId, workflowId: workflowId ?? '' };
    const retry = { executionId, request };
    return this.#execute(target, { ...this.#want(target), input: undefined, retry }, signal);
  }

  /** Sends the same execution again, with the same key. */
  executeAgain(
    target: WorkflowTarget,
    { wanted }: UnconfirmedExecution,
    signal?: AbortSignal,
  ): Promise<TriggeredExecution> {
    return this.#execute(target, wanted, signal);
  }

  /** Looks for the execution behind a response, and shows it in every list. */
  async findExecution(
    target: WorkflowTarget,
    { known, purpose, ...trigger }: TriggeredExecution,
    signal?: AbortSignal,
  ): Promise<ExecutionMatch> {
    const { clients, clock, executions } = this.#deps;
    const client = clients.get(target.connectionId);
    const onFound = (found: Execution): void => executions.upsert(target.connectionId, found);
    const match = await resolveExecution({ client, clock, trigger, known, signal, onFound });
    if (purpose !== 'tests') this.#found.fire({ target, match });
    return match;
  }

  /**
   * Cancels an execution and shows what became of it: a node may still have to end. Reads a record that isn't known first, because a response
   * says whether the service can cancel.
   */
  async cancel(target: ExecutionTarget, signal?: AbortSignal): Promise<Execution> {
    const { clients, executions } = this.#deps;
    await executions.get(target, signal);
    const calls = clients.get(target.connectionId).executions;
    const execution = await calls.cancel(target.executionId, { signal });
    executions.upsert(target.connectionId, execution);
    return executions.find(target) ?? execution;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #requireFormat(connectionId: string, definition: JsonObject): void {
    const expected = this.#deps.clients.get(connectionId).traits.definitionFormat;
    const given = formatOf(definition);
    if (given !== expected)
      throw new ServiceError(
        { kind: 'otherFormat', expected },
        `A document of the format "${given}" was given where "${expected}" is taken.`,
      ).ofConnection(connectionId);
  }

  async #add(connectionId: string, call: WorkflowCall, signal?: AbortSignal): Promise<Workflow> {
    const { clients, workflows } = this.#deps;
    const workflow = await call(clients.get(connectionId).workflows, { signal });
    workflows.add(connectionId, workflow);
    return workflow;
  }

  #putAway(
    { connectionId, workflowId }: WorkflowTarget,
    way: 'archive' | 'unarchive',
    signal?: AbortSignal,
  ): Promise<Workflow> {
    const putAway: WorkflowCall = (calls, options) => {
      const change = calls[way]?.(workflowId, options);
      if (change !== undefined) return change;
      throw notOffered(connectionId, "Workflows can't be archived on this service.");
    };
    return this.#change(connectionId, putAway, signal);
  }

  async #change(connectionId: string, call: WorkflowCall, signal?: AbortSignal): Promise<Workflow> {
    const { clients, workflows } = this.#deps;
    const workflow = await call(clients.get(connectionId).workflows, { signal });
    workflows.update(connectionId, workflow);
    return workflow;
  }

  #want(target: WorkflowTarget): Omit<WantedExecution, 'input'> {
    const { clients, executions, clock } = this.#deps;
    const { connectionId, workflowId } = target;
    return {
      client: clients.get(connectionId),
      clock,
      workflowId,
      idempotencyKey: crypto.randomUUID(),
      known: executions.knownIds(connectionId),
      calledAt: clock.now(),
    };
  }

  async #execute(
    { connectionId, workflowId }: WorkflowTarget,
    wanted: WantedExecution,
    signal?: AbortSignal,
  ): Promise<TriggeredExecution> {
    const trigger = await executeOnce(wanted, signal);
    // The record of a retried execution may not say its workflow.
    const target = { connectionId, workflowId: workflowId === '' ? trigger.workflowId : workflowId };
    const { draft, retry } = wanted;
    this.#deps.executions.showTriggered(target, trigger, {
      retryOf: retry?.executionId ?? null,
      ...(draft && { kind: 'draft', basedOn: draft.basedOn ?? null }),
    });
    const { known, purpose } = wanted;
    if (purpose !== 'tests') this.#executed.fire({ target, trigger });
    return { ...trigger, known, purpose };
  }
}

function notOffered(connectionId: string, message: string): ServiceError {
  return new ServiceError({ kind: 'notOffered', isNotAdvertised: true }, message, { connectionId });
}
