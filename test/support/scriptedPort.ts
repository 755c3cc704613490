// A port that answers as a test says, and keeps what it was asked.
import { unlessAborted } from '../../src/base/async.ts';
import type { HttpPort, HttpRequest } from '../../src/api/http/httpPort.ts';

export interface ScriptedAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly statusText?: string;
  /** Default: JSON where the body is no text. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes as they are, pieces one by one, anything else as JSON. */
  readonly body?: unknown;
}

export interface ScriptedPort {
  readonly port: HttpPort;
  readonly requests: readonly (HttpRequest & { readonly url: string })[];
}

const encoder = new TextEncoder();

function isPieces(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

/** answer: what to say to the request with this number, from 0; throwing is the transport's failure. */
export function createScriptedPort(
  answer: (url: string, request: HttpRequest, count: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
): ScriptedPort {
  const requests: (HttpRequest & { readonly url: string })[] = [];
  return {
    requests,
    async port(url, request) {
      request.signal.throwIfAborted();
      requests.push({ ...request, url });
      const {
        status = 200,
        statusText = '',
        headers,
        body,
      } = await answer(url, request, requests.length - 1);
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const types = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
      return {
        status,
        statusText,
        headers: new Headers(headers ?? types),
        body: isPieces(body)
          ? body
          : text === ''
            ? null
            : onePiece(body instanceof Uint8Array ? body : encoder.encode(text)),
      };
    },
  };
}

/** A promise that only the signal ends, as for a server that never answers. */
export function never(signal: AbortSignal): Promise<never> {
  return unlessAborted(new Promise<never>(() => undefined), signal);
}
