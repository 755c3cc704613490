// Streams portal events through drops, each resumed after the last one that came (contract section 7.5).
import { wait } from '../../base/time.ts';
import { ServiceError } from '../../domain/serviceError.ts';
import { operations } from '../../protocol/operations.ts';
import type { StreamBody } from '../request/sender.ts';
import type { Transport } from '../request/transport.ts';
import { reconnectDelay } from './backOff.ts';
import { closeable } from './closeable.ts';
import { isResumable, readEvents } from './events.ts';
import type { FollowTools } from './follow.ts';
import { pauseUntil, untilAllowed } from './pausing.ts';
import { triage } from './triage.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { PortalEventItem } from './items.ts';
import { decodeStreamedPortalEvent } from '../decode/portalEvent.ts';

interface StreamContext extends FollowTools {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
  /** The event to resume after. */
  after: string | undefined;
  /** Tries that failed since the last event. */
  failures: number;
  /** What the service asked to wait before reconnecting, in milliseconds. */
  retryFloorMs: number;
}

type Items<T> = AsyncGenerator<PortalEventItem, T, void>;

/** A connection that lasted this long was sound, whatever ended it. */
const soundAfterMs = 30_000;

/** Yields the events of one connection until it ends. */
async function* readStream(context: StreamContext, body: StreamBody): Items<Error> {
  const openedAt = context.clock.now();
  try {
    for await (const item of readEvents(body)) {
      if (item.kind === 'end') break;
      if (item.kind === 'retry') context.retryFloorMs = item.retryMs;
      else if (item.kind === 'unreadable') continue;
      else {
        const event = decodeStreamedPortalEvent(item.data, item.name);
        yield { kind: 'event', event };
        const id = item.id ?? event.id;
        if (id !== null && isResumable(id)) context.after = id;
        context.failures = 0;
      }
    }
  } finally {
    if (context.clock.now() - openedAt >= soundAfterMs) context.failures = 0;
  }
  return new ServiceError({ kind: 'unreachable', cause: 'reset' }, 'The stream of portal events stopped.');
}

/** One connection, and what is known after it. Throws what cannot heal. */
async function* attempt(context: StreamContext): Items<Exclude<PortalEventItem, { kind: 'event' }> | null> {
  const { transport, signal, purpose, clock, random, after } = context;
  let error: Error;
  try {
    const headers = after !== undefined && isResumable(after) ? { 'Last-Event-ID': after } : {};
    const request = { operation: operations.listPortalEvents, query: { after }, headers };
    const opened = await transport.open(request, { purpose, signal });
    if (opened.kind === 'answer') return null;
    yield { kind: 'open' };
    error = yield* readStream(context, opened.body);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const verdict = triage(thrown);
    if (verdict === 'noStream' || thrown.reason.kind === 'notFound') return null;
    if (verdict === 'limit') return pauseUntil(thrown, clock);
    if (verdict === 'gap' && after !== undefined) {
      context.after = undefined;
      return { kind: 'gap' };
    }
    if (verdict !== 'drop') throw thrown;
    error = thrown;
  }
  const retryInMs = reconnectDelay(context.failures, context.retryFloorMs, random);
  context.failures += 1;
  return { kind: 'lost', error, retryInMs };
}

async function* stream(context: StreamContext): Items<void> {
  for (;;) {
    yield* untilAllowed(context);
    const result = yield* attempt(context);
    if (result === null) return;
    yield result;
    const delay =
      result.kind === 'lost' ? result.retryInMs : result.kind === 'paused' ? result.resumeInMs : 0;
    await wait(context.clock, delay, context.signal);
  }
}

/** Streams from after an event. Ends where the service has no stream; rejects with the signal's reason, or with what cannot heal. */
export function streamPortalEvents(
  parts: FollowTools & { readonly transport: Transport },
  after: string | undefined,
  signal: AbortSignal,
): AsyncIterable<PortalEventItem> {
  const start = { purpose: 'portalEvents', after, failures: 0, retryFloorMs: 0 } as const;
  return closeable((inner) => stream({ ...parts, ...start, signal: inner }), signal);
}
