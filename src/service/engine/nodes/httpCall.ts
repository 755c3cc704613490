// An HTTP call with its redirects. The body and the author's headers, except harmless ones, are sent to the original origin only.
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type JsonObject, stringifyJson } from '../../../base/json.ts';
import { responseOf } from '../../../protocol/localService/responseOf.ts';
import { NodeError } from '../../errors.ts';
import { lookupPublic, refusePrivateHost } from './privateAddresses.ts';

const maximumRedirects = 20;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** The headers that a redirect to another origin keeps, unless a template built them from a secret. Content-Type is kept only with the body. */
const harmlessHeaders = ['accept', 'user-agent', 'content-type'];
/** Headers of the connection, which authors can't set. */
const connectionHeaders = [
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
];

export interface HttpCall {
  readonly method: string;
  readonly url: URL;
  /** Of the URL, as errors name it. */
  readonly origin: string;
  /** The author's headers. */
  readonly headers: Headers;
  /** In lower case: the headers that contain a part of a secret, which no other origin gets, however harmless their names are. */
  readonly hiddenHeaders: ReadonlySet<string>;
  readonly body: Buffer | undefined;
  /** Aborts the call, including its redirects and the body. */
  readonly signal: AbortSignal;
  readonly maximumBytes: number;
  /** Limits the call to public addresses. */
  readonly refusesPrivateAddresses: boolean;
  readonly onRedirect: (hop: Redirect) => void;
}

/** A redirect: its status, and the address that it leads to. */
export interface Redirect {
  readonly status: number;
  readonly url: string;
}

export interface HttpCallResponse {
  readonly status: number;
  /** A list for several cookies, as a comma can be in one; other headers that came several times are joined by commas. */
  readonly headers: JsonObject;
  readonly contentType: string | undefined;
  /** From the beginning of the call to the end of the body. */
  readonly durationMs: number;
  readonly body: Buffer;
}

/** Rejects with a NodeError for a refused address, URL or redirect and a response that's too large, else with the transport's error. */
export async function callHttp(call: HttpCall): Promise<HttpCallResponse> {
  const began = performance.now();
  let current = call;
  for (let redirects = 0; redirects <= maximumRedirects; redirects += 1) {
    const response = await send(current);
    const location = response.headers.location;
    if (!redirectStatuses.has(response.statusCode ?? 0) || location === undefined)
      return { ...(await read(response, current)), durationMs: performance.now() - began };
    response.destroy();
    const status = response.statusCode ?? 0;
    const next = redirected(current, status, location);
    call.onRedirect({ status, url: next.url.href });
    refuseForeignBody(current, next);
    current = next;
  }
  throw new NodeError('request_failed', `${call.origin} redirects more than ${maximumRedirects} times.`);
}

/** Parses the URL. Throws a NodeError unless it can be called. */
export function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url) throw new NodeError('url_invalid', `"${text}" is not a URL.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NodeError('url_invalid', `Only http and https can be called, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new NodeError('url_invalid', 'A URL with a user name or password cannot be called; use a header.');
  return url;
}

/** Returns the next call; the method and body follow the rules of fetch. */
function redirected(call: HttpCall, status: number, location: string): HttpCall {
  const url = readUrl(location, call.url);
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  const becomesGet = status === 303 ? !isRead : call.method === 'POST' && status < 303;
  const isOwn = url.origin === call.url.origin;
  const names = [...call.headers.keys()].filter(
    (name) =>
      (isOwn || (harmlessHeaders.includes(name) && !call.hiddenHeaders.has(name))) &&
      !(becomesGet && name.startsWith('content-')),
  );
  const headers = new Headers(names.map((name): [string, string] => [name, call.headers.get(name) ?? '']));
  return becomesGet ? { ...call, url, headers, method: 'GET', body: undefined } : { ...call, url, headers };
}

/** Throws a NodeError if a body would be sent to another origin than the one that it was written for. */
function refuseForeignBody({ url, origin }: HttpCall, next: HttpCall): void {
  if (next.body === undefined || next.url.origin === url.origin) return;
  throw new NodeError(
    'redirect_refused',
    `${origin} redirects to ${next.url.origin}, which is another origin, so the body wasn't sent.`,
  );
}

function send(call: HttpCall): Promise<IncomingMessage> {
  const { url, method, body, signal, refusesPrivateAddresses } = call;
  if (refusesPrivateAddresses) refusePrivateHost(url.hostname);
  const headers = new Headers(call.headers);
  for (const name of connectionHeaders) headers.delete(name);
  if (!headers.has('Accept')) headers.set('Accept', '*/*');
  headers.set('Accept-Encoding', 'gzip, br');
  if (body !== undefined) headers.set('Content-Length', String(body.byteLength));
  const start = url.protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = start(url, {
    method,
    headers: Object.fromEntries(headers),
    agent: false,
    signal,
    ...(refusesPrivateAddresses && { lookup: lookupPublic }),
  });
  outgoing.end(body);
  return responseOf(outgoing, signal);
}

async function read(
  response: IncomingMessage,
  { signal, maximumBytes }: HttpCall,
): Promise<Omit<HttpCallResponse, 'durationMs'>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await decompressed(response, signal)) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.byteLength;
    if (size > maximumBytes) {
      response.destroy();
      throw responseTooLarge(maximumBytes);
    }
    chunks.push(chunk);
  }
  // A body that ends with the connection looks complete when the signal closes it.
  signal.throwIfAborted();
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headersDistinct).map(([name, values = []]) => [
        name,
        name === 'set-cookie' && values.length > 1 ? values : values.join(', '),
      ]),
    ),
    contentType: response.headers['content-type'],
    body: Buffer.concat(chunks),
  };
}

export function responseTooLarge(maximumBytes: number): NodeError {
  return new NodeError('response_too_large', `The response exceeds ${maximumBytes} bytes.`);
}

/** Waits for the beginning of the body, which stays unread, or for its end. */
async function isEmpty(response: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  while (!response.destroyed) {
    const beginning: unknown = response.read();
    if (beginning !== null) {
      response.unshift(beginning);
      return false;
    }
    if (response.complete) return true;
    await once(response, 'readable', { signal });
  }
  return false;
}

/** Decodes the body, undoing the last coding first. Rejects with a NodeError for an unknown coding. */
async function decompressed(response: IncomingMessage, signal: AbortSignal): Promise<Readable> {
  const codings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  // A response without a body can say how it would be encoded; nothing isn't a valid encoding of anything.
  if (codings.length === 0 || (await isEmpty(response, signal))) return response;
  const unknown = codings.find((coding) => !Object.hasOwn(decompressors, coding));
  if (unknown !== undefined || codings.length > maximumCodings) {
    response.destroy();
    throw new NodeError(
      'encoding_unknown',
      unknown === undefined
        ? `The response is encoded more than ${maximumCodings} times.`
        : `The response is encoded as ${stringifyJson(unknown)}, which the service can't decode.`,
    );
  }
  return codings.reduceRight<Readable>((body, coding) => {
    const decompressor = decompressors[coding]?.();
    // An error destroys both streams and is reported to the reader.
    return decompressor ? pipeline(body, decompressor, () => undefined) : body;
  }, response);
}

const maximumCodings = 3;
const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
