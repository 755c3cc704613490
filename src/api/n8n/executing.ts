// Starts an execution: through n8n's MCP server where there's a token for it and it can, else through a Webhook node.
import type { JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import { isServiceError, ServiceError, type Unstartable } from '../../domain/errors.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { StartTrigger } from '../../domain/triggers.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { TriggerOptions } from '../servicePort.ts';
import { executesDrafts, type N8nDrafts } from './drafts.ts';
import type { N8nExecutions } from './executions.ts';
import type { McpServer } from './mcp.ts';
import { type McpInputs, startByMcp, startTool, toMcpInputs } from './mcpStart.ts';
import type { N8nOffers } from './offers.ts';
import { onceInEffect } from './onceInEffect.ts';
import { describeTrigger, findTrigger, isCallable, readTriggers, type Trigger } from './triggers.ts';
import type { WebhookCaller } from './webhookCaller.ts';
import type { DraftRequest } from '../../protocol/requests.ts';
import { notStartable } from './refusing.ts';

export interface ExecutingDeps {
  readonly webhooks: WebhookCaller;
  readonly mcp: McpServer;
  readonly offers: Pick<N8nOffers, 'offered'>;
  readonly drafts: N8nDrafts;
  readonly executions: Pick<N8nExecutions, 'noteStarted'>;
  readonly clock: Clock;
  /** Named in errors that a different token would resolve. */
  readonly connectionId: string | null;
}

export class N8nExecuting {
  readonly #deps: ExecutingDeps;

  constructor(deps: ExecutingDeps) {
    this.#deps = deps;
  }

  /**
   * What executions can begin at, in the order of the document: of what is deployed with this connection, or, for a draft, of what is
   * saved.
   */
  async triggers({ deployedDefinition, raw }: Workflow, isDraft: boolean): Promise<readonly StartTrigger[]> {
    const canMcp = await this.#canMcp();
    const all = readTriggers(isDraft ? raw : (deployedDefinition ?? raw));
    return all.filter((each) => isDraft || isCallable(each, canMcp)).map(describeTrigger);
  }

  /**
   * Rejects with "notDeployed" or "notStartable" before anything is sent for what can't be started. `workflow`: with its document.
   * `idempotencyKey`: finds the execution again, as its event. `trigger`: default: a Webhook node, or else the first one. At a trigger by
   * hand what is saved is executed, as in n8n.
   */
  async execute(workflow: Workflow, input: JsonObject, options: TriggerOptions = {}): Promise<Triggered> {
    const canMcp = await this.#canMcp();
    const trigger = this.#choose(
      readTriggers(workflow.deployedDefinition ?? workflow.raw),
      options.trigger,
      canMcp,
    );
    if (trigger.kind === 'manual') {
      if (!canMcp) throw this.#notStartable('byHandOnly', 'It is started by hand.');
      return this.executeDraft(workflow, { input }, { ...options, trigger: trigger.name });
    }
    if (workflow.isDeployed === false)
      throw new ServiceError({ kind: 'notDeployed' }, "The workflow isn't deployed.");
    const { idempotencyKey: eventId = crypto.randomUUID(), ...calls } = options;
    const inputs = canMcp ? toMcpInputs(trigger, input) : undefined;
    const started = inputs && (await this.#byMcp(workflow.id, trigger, inputs, calls));
    if (started !== undefined) return this.#started(workflow.id, started, eventId);
    const whereRefused = !canMcp ? 'ownAuthentication' : inputs ? 'closedNotInMcp' : 'onlyByAddress';
    const called = await this.#byWebhook(workflow.id, { trigger, input, eventId, whereRefused }, calls);
    return this.#started(workflow.id, called, eventId);
  }

  /** Whether there's a token for a server that executes drafts. */
  offersDrafts(): Promise<boolean> {
    return executesDrafts(this.#deps.mcp);
  }

  /** Executes what is saved, deployed or not; else as `N8nDrafts.execute`. */
  async executeDraft(
    workflow: Workflow,
    draft: DraftRequest,
    options: TriggerOptions = {},
  ): Promise<Triggered> {
    return this.#started(workflow.id, await this.#deps.drafts.execute(workflow, draft, options), '');
  }

  /** Whether there's a token for the MCP server, and it executes workflows. */
  async #canMcp(): Promise<boolean> {
    return (await this.#deps.mcp.tools()).has(startTool);
  }

  #choose(all: readonly Trigger[], name: string | undefined, canMcp: boolean): Trigger {
    const callable = all.filter((each) => isCallable(each, canMcp));
    const byHand = all.filter(({ kind }) => kind === 'manual');
    const chosen =
      name === undefined
        ? (callable.find(({ kind }) => kind === 'webhook') ?? callable[0] ?? byHand[0])
        : findTrigger([...callable, ...byHand], name);
    if (chosen !== undefined) return chosen;
    throw this.#notStartable(canMcp ? 'nothingToCall' : 'noTrigger', 'Nothing can start it from here.');
  }

  /** Resolves with undefined where the webhook can start what isn't available to the MCP server, as most workflows at first. */
  async #byMcp(
    workflowId: string,
    { kind, nodeName: triggerNodeName }: Trigger,
    inputs: McpInputs,
    options: CallOptions,
  ): Promise<string | undefined> {
    const { clock, mcp } = this.#deps;
    const start = { workflowId, triggerNodeName, inputs, mode: 'production' } as const;
    try {
      return await onceInEffect(
        { clock, signal: options.signal },
        () => startByMcp(mcp, start, options),
        (error) => isServiceError(error, 'notDeployed'),
      );
    } catch (error) {
      if (kind !== 'webhook' || !isNotInMcp(error)) throw error;
      return undefined;
    }
  }

  async #byWebhook(
    workflowId: string,
    { trigger: webhook, input, eventId: correlationId, whereRefused }: WebhookStart,
    options: CallOptions,
  ): Promise<string | undefined> {
    if (webhook.kind !== 'webhook') throw this.#notStartable('nothingToCall', 'It has no address.');
    try {
      return await this.#deps.webhooks.call({ workflowId, webhook, input, correlationId }, options);
    } catch (error) {
      if (!isServiceError(error) || (error.status !== 401 && error.status !== 403)) throw error;
      const message = 'The Webhook node requires authentication of its own.';
      throw this.#notStartable(whereRefused, message, error.status);
    }
  }

  #notStartable(wanting: Unstartable, message: string, status = 0): ServiceError {
    const { connectionId, offers } = this.#deps;
    const isTokenInVain = startsWithToken.has(wanting) && !offers.offered.current.has('mcp');
    const because = isTokenInVain ? 'noMcp' : wanting;
    return new ServiceError(notStartable(because), message, { status, connectionId });
  }

  #started(workflowId: string, executionId: string | undefined, eventId: string): Triggered {
    const started = { workflowId, status: 'triggered', respondedAt: null };
    if (executionId === undefined) return { ...started, eventIds: [eventId], executionIds: [] };
    this.#deps.executions.noteStarted(executionId);
    return { ...started, eventIds: [], executionIds: [executionId] };
  }
}

/** What a token of the MCP server helps against. */
const startsWithToken: ReadonlySet<Unstartable> = new Set(['noTrigger', 'byHandOnly', 'ownAuthentication']);

interface WebhookStart {
  readonly trigger: Trigger;
  readonly input: JsonObject;
  readonly eventId: string;
  /** What to say where the node wants an authentication. */
  readonly whereRefused: Unstartable;
}

function isNotInMcp(error: unknown): boolean {
  return isServiceError(error) && error.reason.kind === 'notStartable' && error.reason.because === 'notInMcp';
}
