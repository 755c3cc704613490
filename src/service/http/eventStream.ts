// Server-sent events (contract section 5). The stream tracks the reader's position, so events are neither lost nor sent twice.
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { type Writable, writeJson } from '../jsonText.ts';
import type { OpenSlots } from './openSlots.ts';
import type { ServiceContext } from './routes.ts';

interface EventFrame {
  readonly id?: string;
  readonly event: string;
  readonly data: Writable;
}

/** The source of a stream's events. Each `read` continues where the last one ended. */
export interface EventSource {
  /** Returns no frames when there's nothing new; `isEnd` when nothing follows these frames. */
  read(): Promise<{ readonly frames: readonly EventFrame[]; readonly isEnd: boolean }>;
  /** Calls the listener when there may be new events. */
  subscribe(listener: () => void): Disposable;
}

export interface EventStreamOptions {
  /** Ends every stream; aborted when the service stops. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
  /** Where each stream of a key takes a slot. */
  readonly slots: OpenSlots;
}

const encoder = new TextEncoder();

/** Returns true when the caller requests server-sent events. */
export function wantsStream(context: ServiceContext): boolean {
  const accepted = (context.req.header('Accept') ?? '').split(',');
  // A weight of 0 refuses a type.
  return accepted.some(
    (range) =>
      /^\s*text\/event-stream\s*(?:;|$)/i.test(range) && !/;\s*q\s*=\s*0(?:\.0{0,3})?\s*(?:;|$)/i.test(range),
  );
}

/** Returns true when the response is a stream of server-sent events. The response to HEAD has only the headers of one. */
export function isStream({ req, res }: ServiceContext): boolean {
  return req.method !== 'HEAD' && (res.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false);
}

/**
 * Returns a response that streams the source to a key, which may have a limited number of streams. Reads the source only as fast as the
 * client reads.
 */
export function streamEvents(
  context: ServiceContext,
  source: EventSource,
  options: EventStreamOptions,
): Response {
  // A response without a body has no stream that ends.
  if (context.req.method === 'HEAD') return respondWithStream(null);
  const { id } = context.get('apiKey');
  options.slots.check(id);
  const slot = options.slots.take(id);
  const onEnd = context.get('onStreamEnd');
  return respondWithStream(
    createEventStream(source, options, () => {
      slot.dispose();
      onEnd?.();
    }),
  );
}

/** Returns a response that streams the source to a window of this machine. */
export function streamToWindow(
  context: ServiceContext,
  source: EventSource,
  options: Omit<EventStreamOptions, 'slots'>,
): Response {
  return respondWithStream(createEventStream(source, options, context.get('onStreamEnd')));
}

function respondWithStream(body: ReadableStream<Uint8Array> | null): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

/** `onEnd` is called once: after the last event, when the client goes, or when the source can't be read. */
function createEventStream(
  source: EventSource,
  options: Omit<EventStreamOptions, 'slots'>,
  onEnd?: () => void,
): ReadableStream<Uint8Array> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, options.signal]);
  const isOver = (): boolean => signal.aborted;
  let bell: Bell | undefined;
  const finish = toDisposable(() => {
    bell?.dispose();
    onEnd?.();
  });
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void =>
    controller.enqueue(encoder.encode(text));
  const close = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    finish.dispose();
    if (!end.signal.aborted) controller.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!bell) {
          // Subscribes before the first read, so that events in between aren't missed.
          bell = new Bell(source);
          send(controller, 'retry: 3000\n\n');
          return;
        }
        while (!isOver()) {
          bell.reset();
          const { frames, isEnd } = await source.read().catch((error: unknown) => {
            finish.dispose();
            throw error;
          });
          if (frames.length > 0 && !end.signal.aborted) send(controller, frames.map(renderFrame).join(''));
          if (isEnd) break;
          if (frames.length > 0) return;
          const rang = await bell.wait(options.heartbeatMs, signal);
          if (!rang && !isOver()) {
            send(controller, ': ping\n\n');
            return;
          }
        }
        close(controller);
      },
      cancel() {
        end.abort();
        finish.dispose();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Renders an event for the wire, with the data on one line. */
function renderFrame({ id, event, data }: EventFrame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${writeJson(data)}\n\n`;
}

/** Remembers whether the source had new events since the last reset. */
class Bell implements Disposable {
  readonly #subscription: Disposable;
  #rang = false;
  #wake: (() => void) | undefined;

  constructor(source: EventSource) {
    this.#subscription = source.subscribe(() => {
      this.#rang = true;
      this.#wake?.();
    });
  }

  reset(): void {
    this.#rang = false;
  }

  /** Resolves with true when the bell rang since the reset; false after the time, or when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        this.#wake = undefined;
        resolve(this.#rang);
      };
      const timer = setTimeout(finish, milliseconds);
      signal.addEventListener('abort', finish, { once: true });
      this.#wake = finish;
      if (this.#rang || signal.aborted) finish();
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
