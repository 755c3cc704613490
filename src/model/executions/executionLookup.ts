// Why: the execute call answers event ids; this finds the execution behind them, or says that it could not tell which.
import type { ServiceClient } from '../../api/client.ts';
import type { ExecutionReading, TriggerReading } from '../../api/readings.ts';
import { wait } from '../../base/clock.ts';
import { isServiceError } from '../../base/serviceError.ts';
import { callOptions } from '../callOptions.ts';
import type { Clock } from '../ports.ts';

/** "told": the answer named it. "matched": found in the list by its event. "unknown": could not tell which. */
export type ExecutionMatch =
  | { readonly kind: 'told'; readonly executionId: string }
  | { readonly kind: 'matched'; readonly executionId: string }
  | { readonly kind: 'unknown' };

const pausesMs = [0, 1000, 2000, 4000, 8000];

/** Finds the execution (contract section 7.4): asks at once and after 1, 2, 4 and 8 s, since an empty list right after is normal. Rejects with a ServiceError. */
export async function resolveExecution(
  client: ServiceClient,
  clock: Clock,
  trigger: TriggerReading,
  signal: AbortSignal = new AbortController().signal,
): Promise<ExecutionMatch> {
  const [told] = trigger.executionIds;
  if (told !== undefined) return { kind: 'told', executionId: told };
  const [eventId] = trigger.eventIds;
  if (eventId === undefined) return { kind: 'unknown' };
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await wait(clock, pauseMs, signal);
    const found = (await listFor(client, trigger.workflowId, eventId, signal)).find(({ eventIds }) =>
      eventIds.some((id) => trigger.eventIds.includes(id)),
    );
    if (found) return { kind: 'matched', executionId: found.id };
  }
  return { kind: 'unknown' };
}

/** The service may ignore the event filter; the caller looks at the events itself. */
async function listFor(
  client: ServiceClient,
  workflowId: string,
  eventId: string,
  signal: AbortSignal,
): Promise<readonly ExecutionReading[]> {
  try {
    const page = await client.executions.list({ workflowId, eventId }, callOptions(signal, 'follow'));
    return page.items;
  } catch (error) {
    // Normal right after the execute call, and where a service keeps no such list: nothing was found.
    if (isServiceError(error, 'notFound') || isServiceError(error, 'notOffered')) return [];
    throw error;
  }
}
