// Starts an execution: through n8n's MCP server where there's a token for it, else through a Webhook node.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Clock, wait } from '../../base/time.ts';
import { isServiceError, ServiceError, type Unstartable } from '../../domain/errors.ts';
import type { Triggered } from '../../domain/execution.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { StartTrigger } from '../../domain/startTrigger.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { toText } from '../decode/fields.ts';
import type { Answer } from '../http/answers.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyReader, TriggerOptions } from '../servicePort.ts';
import type { N8nExecutions } from './executions.ts';
import type { McpServer } from './mcp.ts';
import { type McpInputs, startByMcp, toMcpInputs } from './mcpStart.ts';
import { describeTrigger, findTrigger, readTriggers, type Trigger, type Webhook } from './triggers.ts';
import { toQuery, toWebhookCall } from './webhookCalls.ts';

export interface ExecutingDeps {
  /** Of the editor's address, without any key: n8n stores the headers that a webhook gets. */
  readonly webhooks: Transport;
  readonly mcp: McpServer;
  /** Reads the token of the MCP server; undefined when there's none. */
  readonly mcpToken: KeyReader;
  readonly executions: Pick<N8nExecutions, 'list' | 'noteStarted'>;
  readonly clock: Clock;
  /** Named by the errors that another token helps against. */
  readonly connectionId: string | null;
}

/** How long n8n may not know of a deployment yet: 2 seconds in all, in pauses of so many milliseconds. */
const maximumRepeats = 20;
const repeatMs = 100;
/** When to look for an execution whose start wasn't answered, in milliseconds after the look before. */
const lookPausesMs = [0, 1000, 2000];

export class N8nExecuting {
  readonly #deps: ExecutingDeps;

  constructor(deps: ExecutingDeps) {
    this.#deps = deps;
  }

  /** What executions of the deployed workflow can begin at with this connection, in the order of the document. */
  async triggers(workflow: Workflow): Promise<readonly StartTrigger[]> {
    return (await this.#startable(workflow)).map(describeTrigger);
  }

  /**
   * Rejects with "notDeployed" or "notStartable" before anything is sent for what can't be started. `workflow`: with its document.
   * `idempotencyKey`: finds the execution again, as its event. `trigger`: default: a Webhook node, or else the first one.
   */
  async execute(
    workflow: Workflow,
    input: JsonObject,
    { idempotencyKey = crypto.randomUUID(), trigger: name, ...options }: TriggerOptions = {},
  ): Promise<Triggered> {
    if (workflow.isDeployed === false)
      throw new ServiceError({ kind: 'notDeployed' }, "The workflow isn't deployed.");
    const hasToken = await this.#hasToken();
    const startable = await this.#startable(workflow);
    const trigger =
      name === undefined
        ? (startable.find(({ kind }) => kind === 'webhook') ?? startable[0])
        : findTrigger(startable, name);
    if (trigger === undefined)
      throw this.#notStartable(hasToken ? 'nothingToCall' : 'noTrigger', 'Nothing can start it from here.');
    const inputs = hasToken ? toMcpInputs(trigger, input) : undefined;
    try {
      if (inputs !== undefined) return await this.#startByMcp(workflow.id, trigger, inputs, options);
    } catch (error) {
      // Most workflows aren't available there, which is switched on for each.
      if (trigger.kind !== 'webhook' || !isNotInMcp(error)) throw error;
    }
    if (trigger.kind !== 'webhook') throw this.#notStartable('noTrigger', 'Nothing can start it from here.');
    const because = !hasToken ? 'ownAuthentication' : inputs ? 'notInMcp' : 'onlyByAddress';
    try {
      return await this.#callWebhook(workflow.id, trigger, input, idempotencyKey, options);
    } catch (error) {
      if (!isServiceError(error) || (error.status !== 401 && error.status !== 403)) throw error;
      const message = 'The Webhook node wants an authentication of its own.';
      throw this.#notStartable(because, message, error.status);
    }
  }

  async #startByMcp(
    workflowId: string,
    { nodeName }: Trigger,
    inputs: McpInputs,
    options: CallOptions,
  ): Promise<Triggered> {
    const start = { workflowId, triggerNodeName: nodeName, inputs, mode: 'production' } as const;
    const executionId = await this.#onceDeployed(
      () => startByMcp(this.#deps.mcp, start, options),
      (error) => isServiceError(error, 'notDeployed'),
      options.signal,
    );
    return this.#started(workflowId, executionId);
  }

  async #hasToken(): Promise<boolean> {
    return ((await this.#deps.mcpToken()) ?? '') !== '';
  }

  async #startable({ deployedDefinition, raw }: Workflow): Promise<readonly Trigger[]> {
    const hasToken = await this.#hasToken();
    return readTriggers(deployedDefinition ?? raw).filter(({ kind }) => kind === 'webhook' || hasToken);
  }

  async #callWebhook(
    workflowId: string,
    webhook: Webhook,
    input: JsonObject,
    correlationId: string,
    options: CallOptions,
  ): Promise<Triggered> {
    try {
      const executionId = idIn(await this.#send(webhook, input, correlationId, options));
      if (executionId !== undefined) return this.#started(workflowId, executionId);
      return {
        workflowId,
        eventIds: [correlationId],
        executionIds: [],
        status: 'triggered',
        answeredAt: null,
      };
    } catch (error) {
      // It may have run, also where the answer says that it failed.
      const mayHaveRun = isServiceError(error, 'unavailable') || isServiceError(error, 'unreachable');
      const found = mayHaveRun ? await this.#look(workflowId, correlationId, options) : undefined;
      if (found === undefined) throw error;
      return this.#started(workflowId, found);
    }
  }

  async #send(
    webhook: Webhook,
    input: JsonObject,
    correlationId: string,
    options: CallOptions,
  ): Promise<Answer> {
    const { method } = webhook;
    const { path, query, body } = toWebhookCall(webhook, input);
    const request = {
      operation: { method, path: `/webhook/${path}` },
      query: toQuery(query),
      ...(body === undefined ? {} : { body }),
      headers: { 'X-Correlation-Id': correlationId },
      isOutput: true,
      isChange: true,
    };
    return this.#onceDeployed(
      () => this.#deps.webhooks.call(request, options),
      (error) => isUnregistered(error, method),
      options.signal,
    );
  }

  /** Calls again only where nothing ran: while n8n, which has answered that the workflow is deployed, doesn't act on it yet. */
  async #onceDeployed<T>(
    call: () => Promise<T>,
    isTooEarly: (error: unknown) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    for (let repeated = 0; ; repeated += 1)
      try {
        return await call();
      } catch (error) {
        if (!isTooEarly(error) || repeated === maximumRepeats) throw error;
        await wait(this.#deps.clock, repeatMs, signal);
      }
  }

  async #look(workflowId: string, eventId: string, options: CallOptions): Promise<string | undefined> {
    const { clock, executions } = this.#deps;
    try {
      for (const pauseMs of lookPausesMs) {
        await wait(clock, pauseMs, options.signal);
        const [found] = (await executions.list({ workflowId, eventId }, options)).items;
        if (found !== undefined) return found.id;
      }
    } catch (error) {
      if (!isServiceError(error)) throw error;
    }
    return undefined;
  }

  #notStartable(because: Unstartable, message: string, status = 0): ServiceError {
    const { connectionId } = this.#deps;
    return new ServiceError({ kind: 'notStartable', because }, message, { status, connectionId });
  }

  #started(workflowId: string, executionId: string): Triggered {
    this.#deps.executions.noteStarted(executionId);
    return { workflowId, eventIds: [], executionIds: [executionId], status: 'triggered', answeredAt: null };
  }
}

function isNotInMcp(error: unknown): boolean {
  return isServiceError(error) && error.reason.kind === 'notStartable' && error.reason.because === 'notInMcp';
}

/** A Respond node may answer with the id of its execution. */
function idIn({ body }: Answer): string | undefined {
  return (isJsonObject(body) ? toText(body['executionId']) : null) ?? undefined;
}

/** n8n knows the webhook a moment after the deployment. One that takes another method is known; on the way there it may name this one. */
function isUnregistered(error: unknown, method: string): boolean {
  if (!isServiceError(error) || error.status !== 404 || !/is not registered/i.test(error.message))
    return false;
  const [, meant = method] = /did you mean to make an? (\w+) request/i.exec(error.message) ?? [];
  return meant.toUpperCase() === method;
}
