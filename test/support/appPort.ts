// Hands an app's own request function in as the HTTP port, so that client and service meet with no socket.
import { abortReason } from '../../src/base/async.ts';
import type { HttpPort } from '../../src/api/http/httpPort.ts';

/** An app as a function, as hono and the web's fetch handlers have it. */
export interface RequestableApp {
  readonly request: (url: string, init: RequestInit) => Response | Promise<Response>;
}

/** Ends a body when the signal says so, as a socket would. */
async function* untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const onAbort = (): void => {
    void reader.cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw abortReason(signal);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await reader.cancel();
  }
}

/** The port of an app that listens nowhere. */
export function createAppPort(app: RequestableApp): HttpPort {
  return async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const response = await app.request(url, {
      method,
      headers: { ...headers },
      signal,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
      body: response.body && untilAborted(response.body, signal),
    };
  };
}
