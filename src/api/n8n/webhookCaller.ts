// Calls Webhook nodes, and finds what they started.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Clock, wait } from '../../base/time.ts';
import { isServiceError, mayHaveArrived, type ServiceError } from '../../domain/errors.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { toText } from '../decode/fields.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Transport } from '../request/transport.ts';
import type { N8nExecutions } from './executions.ts';
import { onceInEffect } from './onceInEffect.ts';
import type { Webhook } from './triggers.ts';
import { toNestedQuery, toWebhookCall } from './webhookCalls.ts';

interface WebhookDeps {
  /** Of the editor's address, without any key: n8n stores the headers that a webhook gets. */
  readonly transport: Transport;
  readonly executions: Pick<N8nExecutions, 'list'>;
  readonly clock: Clock;
}

interface Call {
  readonly workflowId: string;
  readonly webhook: Webhook;
  readonly input: JsonObject;
  /** Finds the execution again, as its event. */
  readonly correlationId: string;
}

/** When to look for an execution whose start got no response, in milliseconds after the look before. */
const lookPausesMs = [0, 1000, 2000];

export class WebhookCaller {
  readonly #deps: WebhookDeps;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with the id of the execution, where it's known. Rejects with "invalid" before anything is sent for an input that the call can't
   * be made of; with 401 or 403 where it requires authentication of its own.
   */
  async call(call: Call, options: CallOptions): Promise<string | undefined> {
    try {
      return idIn(await this.#send(call, options));
    } catch (error) {
      const found = mayHaveRun(error) ? await this.#look(call, options) : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }

  async #send({ webhook, input, correlationId }: Call, options: CallOptions): Promise<CompleteResponse> {
    const { method } = webhook;
    const { path, query, body } = toWebhookCall(webhook, input);
    const request = {
      operation: { method, path: `/webhook/${path}` },
      query: toNestedQuery(query),
      ...(body === undefined ? {} : { body }),
      headers: { 'X-Correlation-Id': correlationId },
      isOutput: true,
      isChange: true,
    };
    return onceInEffect(
      { clock: this.#deps.clock, signal: options.signal },
      // A refusal, also one for the request limit, may be the workflow's own.
      () => this.#deps.transport.call(request, { ...options, isOnce: true }),
      (error) => isUnregistered(error, method),
    );
  }

  async #look(
    { workflowId, correlationId: eventId }: Call,
    options: CallOptions,
  ): Promise<string | undefined> {
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
}

/** A Respond node may respond with the id of its execution. */
function idIn({ body }: CompleteResponse): string | undefined {
  return (isJsonObject(body) ? toText(body['executionId']) : null) ?? undefined;
}

/** Before the workflow gets a call, n8n refuses what has no authentication, and what is too large. */
const refusedBefore: readonly number[] = [401, 403, 413];

/** True if the workflow may have run: it may respond with any status itself. */
function mayHaveRun(error: unknown): boolean {
  if (!isServiceError(error)) return false;
  const mayBeOwn = error.status >= 400 && !refusedBefore.includes(error.status) && !isUnknownWebhook(error);
  return mayHaveArrived(error) || mayBeOwn;
}

function isUnknownWebhook({ status, message }: ServiceError): boolean {
  return status === 404 && /\bwebhook\b.* is not registered/is.test(message);
}

/** n8n knows the webhook a moment after the deployment. One that takes another method is known; on the way there it may name this one. */
function isUnregistered(error: unknown, method: string): boolean {
  if (!isServiceError(error) || !isUnknownWebhook(error)) return false;
  const [, meant = method] = /did you mean to make an? (\w+) request/i.exec(error.message) ?? [];
  return meant.toUpperCase() === method;
}
