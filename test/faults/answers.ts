// What a fault is made of: how a service answers, and how the way to it is broken.
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Answer = (request: IncomingMessage, response: ServerResponse, world: Elsewhere) => void;

/** A second server, on another origin. */
interface Elsewhere {
  readonly otherOrigin: string;
}

export interface Fault {
  readonly name: string;
  /** How the service answers. Default: as a healthy one. */
  readonly answer?: Answer;
  /** Where the connection leads instead of to the service. */
  readonly way?: 'closedPort' | 'untrustedTls' | 'deadProxy' | 'refusingProxy';
  /** The system's code for why no connection came about. */
  readonly systemCode?: string;
  /** How far the machine's clock jumps before the call, in milliseconds. */
  readonly clockJumpMs?: number;
  /** Only a deadline ends it. */
  readonly isSilent?: true;
  /** The service has done nothing and says so, so a change may be sent again. */
  readonly isRefusal?: boolean;
}

export const json = { 'content-type': 'application/json' };
export const stream = { 'content-type': 'text/event-stream' };
/** Stands in the words of refusals, as a service may quote what it was sent. */
export const quotedKey = 'svc_sk_quoted0123456789abcdef';

export const body =
  (
    text: string | Buffer,
    headers: Readonly<Record<string, string | string[]>> = json,
    status = 200,
  ): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(text);
  };
export const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Answer =>
  body(
    JSON.stringify({ error: { code, message: `Refused, ${quotedKey}.`, requestId: 'req_1' } }),
    { ...json, ...headers },
    status,
  );
export const redirect = (location: string, status = 307): Answer => body('', { location }, status);
export const page = (...rows: readonly unknown[]): string => JSON.stringify({ data: rows, nextCursor: null });
/** For a call that opens a stream; others are answered with an empty list. */
export const streamed =
  (text: string | Buffer, headers: Readonly<Record<string, string>> = stream, isTruncated = false): Answer =>
  (request, response) => {
    if (!(request.headers.accept ?? '').includes('text/event-stream'))
      response.writeHead(200, json).end(page());
    else {
      response.writeHead(200, headers).write(text, () => (isTruncated ? response.destroy() : response.end()));
    }
  };

/** A body of which this much comes, and then nothing or the end of the connection. */
export const partly =
  (text: string, isTruncated: boolean): Answer =>
  (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': '5000' });
    response.write(text, () => {
      if (isTruncated) response.destroy();
    });
  };

/** The head of an answer as it's sent. */
export const raw = (status: string, headers: readonly string[]): string =>
  ['HTTP/1.1 ' + status, ...headers, '', ''].join('\r\n');
