import { hiddenValue } from '../../../domain/secret.ts';
import type { JsonObject } from '../../../base/json.ts';
import { codeOf, messageOf } from '../../../base/reason.ts';
import { NodeError } from '../../errors.ts';
import { readReceivedBody, type ReceivedBody } from './httpBodies.ts';
import { callHttp, type Redirect } from './httpCall.ts';
import type { NodeContext } from './nodeBehaviour.ts';
import type { OutgoingRequest } from './outgoingRequest.ts';

/** A response. Its headers may still contain secrets. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: ReceivedBody;
  readonly durationMs: number;
}

/** Adds each redirect to `hops`, also if the call fails. `name`: of the request, in messages. Rejects with a NodeError. */
export async function sendRequest(
  { config: { timeoutMs, maximumBytes }, sent, shown, hidesAddress, hiddenHeaders }: OutgoingRequest,
  name: string,
  { signal, away, refusesPrivateAddresses, masking }: NodeContext,
  hops: Redirect[],
): Promise<ReceivedResponse> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const call = {
    url: sent.url,
    origin: shown.url.origin,
    method: sent.method,
    headers: new Headers(Object.entries(sent.headers)),
    hiddenHeaders,
    body: sent.body?.bytes,
    signal: end,
    maximumBytes,
    refusesPrivateAddresses,
    onRedirect: ({ status, url }: Redirect) => hops.push({ status, url: hidesAddress ? hiddenValue : url }),
  };
  const response = await away(() => callHttp(call)).catch((error: unknown) => {
    if (signal.aborted) throw error;
    if (error instanceof NodeError) throw hidesAddress ? withoutAddress(error, name) : error;
    if (end.aborted) throw timedOut(name, timeoutMs);
    const cause = causeOf(error);
    // The message could contain the address.
    throw unreachable(name, hidesAddress ? (codeOf(cause) ?? 'the connection failed') : messageOf(cause));
  });
  const { status, headers, durationMs } = response;
  const body = await readReceivedBody(response.body, response.contentType, masking);
  return { status, headers, body, durationMs };
}

/** The error without the private address that it names, for a request whose address was built from a secret. */
export function withoutAddress(error: NodeError, name: string): NodeError {
  return error.code === 'address_refused'
    ? new NodeError(error.code, `${name} leads to a private address, which the service refuses.`)
    : error;
}

export function timedOut(name: string, timeoutMs: number): NodeError {
  return new NodeError('request_timed_out', `${name} did not respond within ${timeoutMs} ms.`);
}

export function unreachable(name: string, cause: string): NodeError {
  return new NodeError('request_failed', `${name} could not be reached: ${cause}`);
}

/** Node reports several unreachable addresses as an AggregateError without a message of its own. */
function causeOf(error: unknown): unknown {
  return error instanceof AggregateError ? causeOf(error.errors.at(-1)) : error;
}
