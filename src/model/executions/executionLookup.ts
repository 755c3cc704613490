// The execute call answers event ids; this finds the execution behind them, or says that it could not tell which.
import { wait } from '../../base/time.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import { callOptions } from '../callOptions.ts';
import type { Clock } from '../ports.ts';
import type { Execution, Triggered } from '../../domain/execution.ts';
import type { ServiceClient } from '../../api/client.ts';

/** "told": the answer named it. "matched": found in the list by its event. "probable": the newest that began since. "unknown": could not tell which. */
export type ExecutionMatch =
  | { readonly kind: 'told' | 'matched' | 'probable'; readonly executionId: string }
  | { readonly kind: 'unknown' };

const pausesMs = [0, 1000, 2000, 4000, 8000];
/** The service's clock and its record of the start may differ by this much. */
const toleranceMs = 5000;

export interface Lookup {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly trigger: Triggered;
  /** Executions of the workflow that were known before the call: none of them can be it. */
  readonly known: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Finds the execution (contract section 7.4): asks at once and after 1, 2, 4 and 8 s, since an empty list right after is normal. Rejects with a ServiceError. */
export async function resolveExecution(lookup: Lookup): Promise<ExecutionMatch> {
  const { client, clock, trigger, signal = new AbortController().signal } = lookup;
  const [told] = trigger.executionIds;
  if (told !== undefined) return { kind: 'told', executionId: told };
  if (trigger.eventIds.length === 0 && trigger.answeredAt === null) return { kind: 'unknown' };
  let newest: Execution | undefined;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await wait(clock, pauseMs, signal);
    const listed = await listFor(client, trigger, signal);
    const found = listed.find(({ eventIds }) => eventIds.some((id) => trigger.eventIds.includes(id)));
    if (found) return { kind: 'matched', executionId: found.id };
    const candidates = candidatesIn(listed, lookup);
    newest = candidates.at(-1);
    // Where it is the only one there is nothing to wait for: it names no event that could still tell.
    if (candidates.length === 1) break;
  }
  return newest ? { kind: 'probable', executionId: newest.id } : { kind: 'unknown' };
}

/** What may be the execution, oldest first: begun since the call by the service's own clock, new, and of no other event. */
function candidatesIn(
  listed: readonly Execution[],
  { trigger: { answeredAt, eventIds: wanted }, known }: Lookup,
): readonly Execution[] {
  if (answeredAt === null) return [];
  const begun = (each: Execution): number => (each.startedAt ?? each.createdAt)?.getTime() ?? -Infinity;
  const isOfAnother = ({ eventIds }: Execution): boolean => wanted.length > 0 && eventIds.length > 0;
  return listed
    .filter((each) => !known.has(each.id) && !isOfAnother(each))
    .filter((each) => begun(each) >= answeredAt.getTime() - toleranceMs)
    .toSorted((earlier, later) => begun(earlier) - begun(later));
}

/** The service may ignore the event filter; the caller looks at the events itself. */
async function listFor(
  client: ServiceClient,
  { workflowId, eventIds: [eventId] }: Triggered,
  signal: AbortSignal,
): Promise<readonly Execution[]> {
  const query = eventId === undefined ? { workflowId } : { workflowId, eventId };
  try {
    const page = await client.executions.list(query, callOptions(signal, 'following'));
    return page.items;
  } catch (error) {
    // Normal right after the execute call, and where a service keeps no such list: nothing was found.
    if (isServiceError(error, 'notFound') || isServiceError(error, 'notOffered')) return [];
    throw error;
  }
}
