// Finds the execution behind the event ids that the execute call returns.
import { type Clock, wait } from '../../base/time.ts';
import { ifOffered } from '../../domain/errors.ts';
import type { Execution, Triggered } from '../../domain/execution.ts';
import type { ServicePort } from '../../api/servicePort.ts';

/**
 * "reported": the response named it. "matched": found in the list by its event. "probable": the newest one started since the call.
 * "unknown": can't be determined.
 */
export type ExecutionMatch =
  | { readonly kind: 'reported' | 'matched' | 'probable'; readonly executionId: string }
  | { readonly kind: 'unknown' };

const pausesMs = [0, 1000, 2000, 4000, 8000];
/** The service's clock and its start times may differ by this much. */
const toleranceMs = 5000;

export interface Lookup {
  readonly client: ServicePort;
  readonly clock: Clock;
  readonly trigger: Triggered;
  /** Executions that were known before the call, so it can't be one of them. */
  readonly known: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** Called with the record that was found in the list. */
  readonly onFound?: (execution: Execution) => void;
}

/**
 * Finds the execution (contract section 7.4): lists at once and after 1, 2, 4 and 8 s, since an empty list right after the call is normal.
 * Rejects with a ServiceError.
 */
export async function resolveExecution(lookup: Lookup): Promise<ExecutionMatch> {
  const { client, clock, trigger, signal, onFound } = lookup;
  const [reported] = trigger.executionIds;
  if (reported !== undefined) return { kind: 'reported', executionId: reported };
  if (trigger.eventIds.length === 0 && trigger.respondedAt === null) return { kind: 'unknown' };
  let newest: Execution | undefined;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await wait(clock, pauseMs, signal);
    const listed = await listFor(client, trigger, signal);
    const found = listed.find(({ eventIds }) => eventIds.some((id) => trigger.eventIds.includes(id)));
    if (found) {
      onFound?.(found);
      return { kind: 'matched', executionId: found.id };
    }
    const candidates = candidatesIn(listed, lookup);
    newest = candidates.at(-1);
    // A single candidate is final: it names no event that could match later.
    if (candidates.length === 1) break;
  }
  if (newest === undefined) return { kind: 'unknown' };
  onFound?.(newest);
  return { kind: 'probable', executionId: newest.id };
}

/** Returns the candidates, oldest first: started since the call by the service's clock, new, and not of another event. */
function candidatesIn(
  listed: readonly Execution[],
  { trigger: { respondedAt, eventIds: wanted }, known }: Lookup,
): readonly Execution[] {
  if (respondedAt === null) return [];
  const begun = (each: Execution): number => (each.startedAt ?? each.createdAt)?.getTime() ?? -Infinity;
  const isOfAnother = ({ eventIds }: Execution): boolean => wanted.length > 0 && eventIds.length > 0;
  return listed
    .filter((each) => !known.has(each.id) && !isOfAnother(each))
    .filter((each) => begun(each) >= respondedAt.getTime() - toleranceMs)
    .toSorted((earlier, later) => begun(earlier) - begun(later));
}

/** The service may ignore the event filter, so the caller checks the events itself. */
async function listFor(
  client: ServicePort,
  { workflowId, eventIds: [eventId] }: Triggered,
  signal: AbortSignal | undefined,
): Promise<readonly Execution[]> {
  const query = eventId === undefined ? { workflowId } : { workflowId, eventId };
  // "Not found" is normal right after the execute call.
  const page = await ifOffered(client.executions.list(query, { signal, purpose: 'following' }));
  return page?.items ?? [];
}
