// Where the answer to an execute call is lost, the execution is looked for before anything else is offered.
import { equalJson, type JsonObject } from '../../base/json.ts';
import { wait } from '../../base/time.ts';
import { isServiceError, ServiceError } from '../../domain/serviceError.ts';
import { callOptions } from '../callOptions.ts';
import type { Clock } from '../ports.ts';
import type { Execution, Triggered } from '../../domain/execution.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { ServiceClient } from '../../api/client.ts';

/** One execution, however often it has to be sent. */
export interface WantedExecution {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly workflowId: string;
  readonly input: JsonObject;
  /** Sent along each time, so that a service that honours it starts one execution. */
  readonly idempotencyKey: string;
  /** Executions of the workflow that were known before: none of them can be it. */
  readonly known: ReadonlySet<string>;
  /** Epoch milliseconds of the first call. */
  readonly calledAt: number;
}

/** No answer came and no execution was found: it may have been started. */
export class UnansweredExecution extends ServiceError {
  /** To be sent again as it was. */
  readonly wanted: WantedExecution;

  constructor(wanted: WantedExecution, error: ServiceError) {
    const { message, status, connectionId } = error;
    super({ kind: 'unanswered' }, message, { status, connectionId, cause: error });
    this.wanted = wanted;
  }
}

const pausesMs = [0, 1000, 2000, 4000];
/** The service's clock and its record of the start may differ by this much. */
const toleranceMs = 5000;
const newest = 20;

/** Rejects with UnansweredExecution where it may have been started all the same, else as the call does. */
export async function executeOnce(wanted: WantedExecution, signal?: AbortSignal): Promise<Triggered> {
  const { client, workflowId, input, idempotencyKey } = wanted;
  try {
    return await client.workflows.execute(workflowId, input, { ...callOptions(signal), idempotencyKey });
  } catch (error) {
    if (!isServiceError(error) || !isLost(error)) throw error;
    const found = await findStarted(wanted, signal ?? new AbortController().signal);
    if (found === undefined) throw new UnansweredExecution(wanted, error);
    const { id, eventIds } = found;
    return { workflowId, eventIds, executionIds: [id], status: 'triggered', answeredAt: null };
  }
}

/** True where the request may have arrived, and what came back says nothing of what became of it. */
function isLost({ reason, status, cause }: ServiceError): boolean {
  switch (reason.kind) {
    case 'unreachable':
      // Without a cause the request was refused here.
      return (
        reason.cause === 'timeout' ||
        reason.cause === 'reset' ||
        (reason.cause === 'other' && cause !== undefined)
      );
    case 'unavailable':
      // 408: it never came whole; 507: it could not be kept.
      return status >= 500 && status !== 507;
    case 'unreadable':
      return reason.cause !== 'redirect' && reason.cause !== 'webPage';
    default:
      return false;
  }
}

/** The one execution that can be it; undefined where there is none, where there are several, and where the service cannot be asked. */
async function findStarted(wanted: WantedExecution, signal: AbortSignal): Promise<Execution | undefined> {
  const { client, clock, workflowId } = wanted;
  try {
    for (const pauseMs of pausesMs) {
      await wait(clock, pauseMs, signal);
      const { items } = await client.executions.list({ workflowId, limit: newest }, callOptions(signal));
      const candidates = items.filter((each) => mayBe(each, wanted));
      const [only] = candidates;
      if (only === undefined) continue;
      if (candidates.length > 1) return undefined;
      return (await hasInput(only, wanted, callOptions(signal))) ? only : undefined;
    }
  } catch (error) {
    if (!isServiceError(error)) throw error;
  }
  return undefined;
}

function mayBe({ id, trigger, startedAt, createdAt }: Execution, wanted: WantedExecution): boolean {
  const begun = (createdAt ?? startedAt)?.getTime() ?? -Infinity;
  const isByCall = trigger === null || trigger === 'api';
  return isByCall && !wanted.known.has(id) && begun >= wanted.calledAt - toleranceMs;
}

/** False where its details tell another input. */
async function hasInput(
  { id, input }: Execution,
  wanted: WantedExecution,
  options: CallOptions,
): Promise<boolean> {
  const told = input ?? (await wanted.client.executions.get(id, options)).input;
  return told === undefined || equalJson(told, wanted.input);
}
