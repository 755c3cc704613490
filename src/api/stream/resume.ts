import type { JsonValue } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ServiceRequest } from '../request/request.ts';
import { type DataEvent, type EventBatch, EventReader } from './events.ts';
import type { Interruption } from '../servicePort.ts';
import { needServiceError, Retries, type RetryDecision, type StreamContext } from './retry.ts';

/**
 * How the stream of one connection ended. complete: everything has arrived. finished: the stream only said that it's over. dropped: it
 * ended early.
 */
export type StreamEnd = 'complete' | 'finished' | 'dropped';

/** The content of a stream, and the position to resume from after a drop. */
export interface StreamSource<Item> {
  /** Loads the data that each connection needs. */
  prepare?(): Promise<void>;
  /**
   * Checks whether everything has arrived: before each connection except the first, and after a stream that says it's over. Returns true
   * when nothing more will follow. Without this method, there's always more.
   */
  check?(): AsyncGenerator<Item, boolean, void>;
  /** The request that resumes after the last event. */
  request(): ServiceRequest;
  /** The item for a connection that's open. */
  opened(): Item | Promise<Item>;
  /** Decodes the events of one chunk and moves the position past them. */
  take(events: readonly DataEvent[]): readonly Item[];
  /** data: the content of the end event. */
  ended(data: JsonValue | undefined): { readonly items: readonly Item[]; readonly end: StreamEnd };
  decide(error: ServiceError): RetryDecision;
  /** Continues without a position after the service refused it. Returns undefined when there was none: the refusal is an error then. */
  restart(): readonly Item[] | undefined;
  /** Continues where the service has no stream. */
  withoutStream(): AsyncGenerator<Item | Interruption, void, void>;
  /** The message for a dropped connection, for the log. */
  readonly droppedMessage: string;
}

/**
 * Streams across drops: each connection resumes after the last event, and events that arrive in one piece stay one batch.
 * Yields an interruption before it waits. Rejects with the signal's reason, or with an error that retrying can't fix.
 * The transport's idle time limit ends silent connections.
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
      await source.prepare?.();
      if (isAgain && (yield* isOver(source))) return;
      const opened = await transport.open(source.request(), { purpose, signal });
      if (opened.kind === 'response') {
        if (opened.response.status === 204 && (yield* isOver(source))) return;
        break;
      }
      const openedAt = clock.now();
      let end: StreamEnd = 'dropped';
      try {
        yield await source.opened();
        const reader = new EventReader();
        for await (const piece of opened.body) {
          const taken = take(source, retries, reader.read(piece));
          for (const item of taken.items) yield item;
          reader.throwIfTooLarge();
          end = taken.end ?? end;
          if (taken.end) break;
        }
      } finally {
        await opened.body.return();
        retries.resetIfSound(openedAt);
      }
      if (end === 'complete') return;
      if (end === 'finished') {
        if (yield* isOver(source)) return;
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

async function* isOver<Item>(source: StreamSource<Item>): AsyncGenerator<Item, boolean, void> {
  return source.check === undefined ? false : yield* source.check();
}

/** Returns the items of one chunk, and the end if the chunk contains it. */
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

/** Decides what to do about a failure. Throws errors that retrying can't fix. */
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

/** Starts again for each iteration. Returning the iterator cancels its wait, which an async generator alone can't do; so does the outer signal. */
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

/** The result of one poll. */
export interface PollRead<Item> {
  readonly items: readonly Item[];
  /** There was something new. */
  readonly isNew: boolean;
  /** More is available and is read immediately. */
  readonly isMore: boolean;
  /** Nothing more will follow. */
  readonly isOver: boolean;
}

export interface PollSource<Item> {
  read(): Promise<PollRead<Item>>;
  /** The item for polling that works, also after a failure. */
  readonly opened: Item;
  decide(error: ServiceError): RetryDecision;
  /** Continues without a position after the service refused it. Returns false when there was none: the refusal is an error then. */
  restart(): boolean;
  /** Resolves when the next poll is due. idlePolls: how many polls in a row found nothing new. */
  pause(idlePolls: number): Promise<void>;
}

/**
 * Polls where the service has no stream, less often while there's nothing new. Rejects with the signal's reason, or with an error that
 * retrying can't fix.
 */
export async function* poll<Item>(
  source: PollSource<Item>,
  context: StreamContext,
): AsyncGenerator<Item | Interruption, void, void> {
  const retries = new Retries(context);
  let isOpen = false;
  let idlePolls = -1;
  for (;;) {
    let interruption = retries.budgetPause();
    let isMore = interruption !== undefined;
    if (interruption === undefined)
      try {
        const read = await source.read();
        retries.reset();
        if (!isOpen) yield source.opened;
        isOpen = true;
        for (const item of read.items) yield item;
        if (read.isOver) return;
        idlePolls = read.isNew ? 0 : idlePolls + 1;
        isMore = read.isMore;
      } catch (thrown) {
        const error = needServiceError(thrown);
        const decision = source.decide(error);
        if (decision === 'retry' || decision === 'limit')
          interruption = retries.interruption(error, decision);
        else if (decision === 'noStream' && retries.mayRepeat(error))
          interruption = retries.interruption(error, 'retry');
        else if (decision !== 'gap' || !source.restart()) throw error;
        isMore = true;
      }
    if (interruption) {
      isOpen = false;
      yield interruption;
      await retries.wait(interruption);
    }
    if (!isMore) await source.pause(idlePolls);
  }
}
