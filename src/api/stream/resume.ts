import type { JsonValue } from '../../base/json.ts';
import { ServiceError } from '../../domain/serviceError.ts';
import type { ServiceRequest } from '../request/request.ts';
import { type DataEvent, type EventBatch, EventReader } from './events.ts';
import { needServiceError, Retries, type RetryDecision, type StreamContext } from './retry.ts';
import type { Interruption } from './items.ts';

/** How the stream of one connection ended: with all there is, by saying only that it is over, or before its time. */
export type StreamEnd = 'complete' | 'finished' | 'dropped';

/** What is streamed, and from where it goes on after a drop. */
export interface StreamSource<Item> {
  /** Asks what is to be known before each connection, and after a stream that says it is over. Ends with true when nothing more will come. */
  check(when: 'first' | 'again' | 'finished'): AsyncGenerator<Item, boolean, void>;
  /** The request that resumes after the last event. */
  request(): ServiceRequest;
  /** What is said of a connection once it is open. */
  opened(): Item | Promise<Item>;
  /** Decodes the events that came in one piece, and moves the position behind them. */
  take(events: readonly DataEvent[]): readonly Item[];
  /** data: what the end event carries. */
  ended(data: JsonValue | undefined): { readonly items: readonly Item[]; readonly end: StreamEnd };
  decide(error: ServiceError): RetryDecision;
  /** The position was refused: goes on without one. undefined: there was none, so the refusal is an error. */
  restart(): readonly Item[] | undefined;
  /** Goes on where the service has no stream. */
  withoutStream(): AsyncGenerator<Item | Interruption, void, void>;
  /** Of a connection that dropped, for the log. */
  readonly droppedMessage: string;
}

/**
 * Streams through drops, each connection resumed after what came last: what arrives in one piece leaves as one batch. Says when it
 * has to wait, and why. Rejects with the signal's reason, or with what cannot heal. A silent connection ends by the transport's
 * idle deadline.
 */
export async function* resume<Item>(
  source: StreamSource<Item>,
  context: StreamContext,
): AsyncGenerator<Item | Interruption, void, void> {
  const { transport, purpose, signal, clock } = context;
  const retries = new Retries(context);
  for (let isAgain = false; ; isAgain = true) {
    let interruption = retries.budgetPause();
    if (interruption) {
      yield interruption;
      await retries.wait(interruption);
    }
    try {
      if (yield* source.check(isAgain ? 'again' : 'first')) return;
      const opened = await transport.open(source.request(), { purpose, signal });
      if (opened.kind === 'answer') {
        if (opened.answer.status === 204 && (yield* source.check('finished'))) return;
        break;
      }
      yield await source.opened();
      const openedAt = clock.now();
      const reader = new EventReader();
      let end: StreamEnd = 'dropped';
      try {
        for await (const piece of opened.body) {
          const taken = take(source, retries, reader.read(piece));
          for (const item of taken.items) yield item;
          reader.throwIfTooLarge();
          end = taken.end ?? end;
          if (taken.end) break;
        }
      } finally {
        retries.resetIfSound(openedAt);
      }
      if (end === 'complete') return;
      if (end === 'finished') {
        if (yield* source.check('finished')) return;
        break;
      }
      throw new ServiceError({ kind: 'unreachable', cause: 'reset' }, source.droppedMessage);
    } catch (thrown) {
      const error = needServiceError(thrown);
      const failure = judge(source, retries, error);
      if (failure === 'noStream') break;
      for (const item of failure.items) yield item;
      ({ interruption } = failure);
    }
    if (interruption) {
      yield interruption;
      await retries.wait(interruption);
    }
  }
  yield* source.withoutStream();
}

/** What one piece brought, and the end where it told one. */
function take<Item>(
  source: StreamSource<Item>,
  retries: Retries,
  { events, retryMs, ended }: EventBatch,
): { readonly items: readonly Item[]; readonly end?: StreamEnd } {
  retries.floorMs = retryMs ?? retries.floorMs;
  if (events.length > 0) retries.reset();
  const items = source.take(events);
  if (!ended) return { items };
  const last = source.ended(ended.data);
  return { items: [...items, ...last.items], end: last.end };
}

/** What is done about a failure; throws what cannot heal. */
function judge<Item>(
  source: StreamSource<Item>,
  retries: Retries,
  error: ServiceError,
): 'noStream' | { readonly items: readonly Item[]; readonly interruption: Interruption | undefined } {
  const decision = source.decide(error);
  if (decision === 'noStream') return decision;
  if (decision === 'retry' || decision === 'limit')
    return { items: [], interruption: retries.interruption(error, decision) };
  const items = decision === 'gap' ? source.restart() : undefined;
  if (items === undefined) throw error;
  return { items, interruption: undefined };
}

/** Starts anew for each iteration. Returning the iterator, which an async generator cannot do to one that waits, cancels what it waits for; so does the outer signal. */
export function closeable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  outer: AbortSignal,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const closing = new AbortController();
      const items = start(AbortSignal.any([outer, closing.signal]));
      return {
        next: () => items.next(),
        async return() {
          closing.abort(new DOMException('Cancelled', 'AbortError'));
          return items.return();
        },
      };
    },
  };
}
