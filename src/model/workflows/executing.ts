// Sends an execute call. If its response is lost, looks for the execution, so that the workflow isn't executed twice.
import { equalJson, type JsonObject } from '../../base/json.ts';
import { type Clock, wait } from '../../base/time.ts';
import type { Purpose } from '../../domain/budget.ts';
import { isServiceError, mayHaveArrived, ServiceError } from '../../domain/errors.ts';
import type { Execution, Triggered } from '../../domain/execution.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { DraftRequest, RetryRequest } from '../../protocol/requests.ts';
import type { ServicePort } from '../../api/servicePort.ts';

/** One execution, however often it's sent. */
export interface WantedExecution {
  readonly client: ServicePort;
  readonly clock: Clock;
  readonly workflowId: string;
  /** undefined: not known. */
  readonly input: JsonObject | undefined;
  /** The node that it begins at, where the service reports several. */
  readonly trigger?: string | undefined;
  /** Default: "asked". */
  readonly purpose?: Purpose | undefined;
  /** undefined: what is deployed is executed. */
  readonly draft?: DraftRequest;
  /** The execution that it goes on from, instead of beginning with the input. */
  readonly retry?: { readonly executionId: string; readonly request: RetryRequest };
  /** Sent each time, so that a service that supports it starts only one execution. */
  readonly idempotencyKey: string;
  /** Executions that were known before the call, so it can't be one of them. */
  readonly known: ReadonlySet<string>;
  /** Epoch milliseconds of the first call. */
  readonly calledAt: number;
}

/** The response was lost and no execution was found, but it may have been started. */
export class UnconfirmedExecution extends ServiceError {
  /** Can be sent again unchanged. */
  readonly wanted: WantedExecution;

  constructor(wanted: WantedExecution, error: ServiceError) {
    const { message, status, connectionId } = error;
    super({ kind: 'unanswered' }, message, { status, connectionId, cause: error });
    this.wanted = wanted;
  }
}

const pausesMs = [0, 1000, 2000, 4000];
/** How much its start times may differ from the service's clock, as its responses say it in whole seconds. */
const toleranceMs = 5000;
const newest = 20;

/** Rejects with UnconfirmedExecution if the execution may have been started, otherwise as the call does. */
export async function executeOnce(wanted: WantedExecution, signal?: AbortSignal): Promise<Triggered> {
  const { workflowId } = wanted;
  try {
    return await send(wanted, signal);
  } catch (error) {
    if (!isServiceError(error) || !mayHaveArrived(error)) throw error;
    const found = await findStarted(wanted, signal);
    if (found === undefined) throw new UnconfirmedExecution(wanted, error);
    const { id, eventIds } = found;
    return { workflowId, eventIds, executionIds: [id], status: 'triggered', respondedAt: null };
  }
}

function send(
  { client, workflowId, input = {}, trigger, draft, retry, idempotencyKey, purpose }: WantedExecution,
  signal: AbortSignal | undefined,
): Promise<Triggered> {
  const options = { signal, idempotencyKey, trigger, purpose };
  if (retry !== undefined) return client.executions.retry(retry.executionId, retry.request, options);
  return draft === undefined
    ? client.workflows.execute(workflowId, input, options)
    : client.workflows.executeDraft(workflowId, draft, options);
}

/** Returns the only execution that can be the wanted one; undefined if there is none or several, or the service can't be reached. */
async function findStarted(
  wanted: WantedExecution,
  signal: AbortSignal | undefined,
): Promise<Execution | undefined> {
  const { client, clock, workflowId, purpose } = wanted;
  try {
    for (const pauseMs of pausesMs) {
      await wait(clock, pauseMs, signal);
      const { items } = await client.executions.list({ workflowId, limit: newest }, { signal, purpose });
      const candidates = items.filter((each) => mayBe(each, wanted));
      const [only] = candidates;
      if (only === undefined) continue;
      if (candidates.length > 1) return undefined;
      return (await hasInput(only, wanted, { signal, purpose })) ? only : undefined;
    }
  } catch (error) {
    if (!isServiceError(error)) throw error;
  }
  return undefined;
}

function mayBe(execution: Execution, wanted: WantedExecution): boolean {
  const { id, kind, trigger, startedAt, createdAt, retryOf } = execution;
  if (retryOf !== (wanted.retry?.executionId ?? null)) return false;
  // The retry of a draft execution is one as well.
  if (retryOf === null && kind !== (wanted.draft === undefined ? 'deployed' : 'draft')) return false;
  const begun = (createdAt ?? startedAt)?.getTime() ?? -Infinity;
  const isByCall = trigger === null || trigger === 'api';
  const calledAt = wanted.calledAt + wanted.client.clockAheadMs;
  return isByCall && !wanted.known.has(id) && begun >= calledAt - toleranceMs;
}

/** False if its details contain another input. */
async function hasInput(
  { id, input }: Execution,
  wanted: WantedExecution,
  options: CallOptions,
): Promise<boolean> {
  if (wanted.input === undefined) return true;
  const reported = input ?? (await wanted.client.executions.get(id, options)).input;
  return reported === undefined || equalJson(reported, wanted.input);
}
