// Server-sent events as contract section 5 frames them: read from where the reader stands, so nothing is lost or doubled.
import type { Disposable } from '../../base/disposable.ts';
import { type Writable, writeJson } from '../jsonText.ts';

interface EventFrame {
  readonly id?: string;
  readonly event: string;
  readonly data: Writable;
}

/** Where the events come from. `read` goes on from where the last call stopped. */
export interface EventSource {
  /** No frames: nothing new yet. `isEnd`: nothing will follow these frames. */
  read(): Promise<{ readonly frames: readonly EventFrame[]; readonly isEnd: boolean }>;
  /** Tells that there may be something new. */
  subscribe(listener: () => void): Disposable;
}

export interface EventStreamOptions {
  /** Ends every stream, as the service does when it stops. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

const encoder = new TextEncoder();

/** The answer that streams the source; reads only as fast as the reader does. */
export function streamEvents(source: EventSource, options: EventStreamOptions): Response {
  return new Response(createEventStream(source, options), {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

function createEventStream(source: EventSource, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, options.signal]);
  const isOver = (): boolean => signal.aborted;
  let bell: Bell | undefined;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string): void =>
    controller.enqueue(encoder.encode(text));
  const close = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    bell?.dispose();
    if (!end.signal.aborted) controller.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!bell) {
          // Subscribed before the first read, so that what comes between the two rings.
          bell = createBell(source);
          send(controller, 'retry: 3000\n\n');
          return;
        }
        while (!isOver()) {
          bell.reset();
          const { frames, isEnd } = await source.read();
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
        bell?.dispose();
      },
    },
    { highWaterMark: 0 },
  );
}

/** One event in the wire's form: the data on one line. */
function renderFrame({ id, event, data }: EventFrame): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${writeJson(data)}\n\n`;
}

interface Bell extends Disposable {
  reset(): void;
  /** True when it rang since the reset; false after the time, or when the signal was aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<boolean>;
}

function createBell(source: EventSource): Bell {
  let rang = false;
  let wake: (() => void) | undefined;
  const subscription = source.subscribe(() => {
    rang = true;
    wake?.();
  });
  return {
    reset: () => {
      rang = false;
    },
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          wake = undefined;
          resolve(rang);
        };
        const timer = setTimeout(finish, milliseconds);
        signal.addEventListener('abort', finish, { once: true });
        wake = finish;
        if (rang || signal.aborted) finish();
      }),
    dispose: () => subscription.dispose(),
  };
}
