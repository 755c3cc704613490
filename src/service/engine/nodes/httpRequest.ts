import { readBinary } from '../../../base/binary.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../../base/json.ts';
import { isTooDeep, maximumJsonDepth } from '../../../base/jsonScan.ts';
import { hiddenValue } from '../../../domain/secret.ts';
import { messageOf, NodeError } from '../../errors.ts';
import type { EmptyTemplate } from '../../sandbox/messages.ts';
import type { UsableSecret } from '../../secrets/usableSecret.ts';
import type { HttpMessage } from '../../store/exchanges.ts';
import { textOfJson } from './formFields.ts';
import { readReceivedBody, tooDeep } from './httpBodies.ts';
import { callHttp, type HttpCallResponse, type Redirect } from './httpCall.ts';
import { maximumOutput, type NodeBehaviour, type NodeContext } from './nodeBehaviour.ts';
import { secretNames } from './secretNames.ts';
import {
  isJsonText,
  type OutgoingRequest,
  readOutgoingRequest,
  refuseOrigin,
  type RequestConfig,
} from './outgoingRequest.ts';

/** Of a body in a message, in UTF-16 units. */
const maximumBeginning = 200;

interface HttpOutput {
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: JsonValue;
}

/** Output: `{status, headers, body}`; the body is JSON where the response is, else text or bytes. */
export const runHttpRequest: NodeBehaviour = async (context) => {
  const { config, scope, sandbox, signal, masking, say, conclude, record } = context;
  const secrets = await readSecrets(context);
  const values = Object.fromEntries(secrets.map(({ name, value }) => [name, value]));
  const json = isJsonText(config) ? 'body' : null;
  const filled = await sandbox.render(config, scope, signal, { secrets: values, address: 'url', json });
  refuseEmpty(filled.empty);
  const request = readOutgoingRequest(filled);
  refuseOrigin(request, secrets);
  const { shown } = request;
  const nulls = filled.empty.filter(({ path }) => path[0] === 'body').map(nameEmpty);
  const gap = shown.body?.isForm === true ? 'form has no value' : 'body has null';
  if (nulls.length > 0) await say('warn', `The ${gap} where a template gave nothing: ${nulls.join(', ')}.`);
  const name = `${shown.method} ${shown.url.origin}${shown.url.pathname}`;
  await say('info', `Calling ${name}.`);
  const { head, body: sentBody } = toMessage(
    { method: shown.method, url: shown.url.href },
    shown.headers,
    shown.body?.shown,
  );
  const sent: HttpMessage = { head: await masking.object(head), body: await masking.json(sentBody) };
  const hops: Redirect[] = [];
  const withHops = async (): Promise<HttpMessage> => {
    if (hops.length === 0) return sent;
    const redirects = hops.map((hop) => ({ ...hop }));
    return { ...sent, head: { ...sent.head, ...(await masking.object({ redirects })) } };
  };
  record({ request: sent, response: null });
  const received = await send(request, name, context, hops).catch(async (error: unknown) => {
    if (hops.length > 0) record({ request: await withHops(), response: null });
    throw error;
  });
  const { status } = received;
  // A response can repeat what was sent.
  const headers = await masking.object(received.headers);
  const body = await readReceivedBody(received.body, received.contentType, masking);
  if (headers !== received.headers || body.isChanged)
    await say('warn', 'The response contains values of secrets, which are replaced with ***.');
  const response = toMessage({ status }, headers, body.shown);
  record({ request: await withHops(), response });
  conclude('info', `${name} answered ${status} in ${Math.round(received.durationMs)} ms.`);
  if (body.value === tooDeep) throw responseTooDeep();
  refuseStatus(request.config, name, { status, headers, body: body.value }, response);
  return { text: writeOutput({ status, headers, body: body.value }), isMasked: true };
};

/** Adds each redirect to `hops`, also if the call fails. */
async function send(
  { config: { timeoutMs, maximumBytes }, sent, shown, hidesAddress, hiddenHeaders }: OutgoingRequest,
  name: string,
  { signal, away, refusesPrivateAddresses }: NodeContext,
  hops: Redirect[],
): Promise<HttpCallResponse> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await away(() =>
      callHttp({
        url: sent.url,
        origin: shown.url.origin,
        method: sent.method,
        headers: new Headers(Object.entries(sent.headers)),
        hiddenHeaders,
        body: sent.body?.bytes,
        signal: end,
        maximumBytes,
        refusesPrivateAddresses,
        onRedirect: ({ status, url }) => hops.push({ status, url: hidesAddress ? hiddenValue : url }),
      }),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof NodeError)
      throw hidesAddress && error.code === 'address_refused'
        ? new NodeError(error.code, `${name} leads to a private address, which the service refuses.`)
        : error;
    if (end.aborted)
      throw new NodeError('request_timed_out', `${name} did not respond within ${timeoutMs} ms.`);
    const cause = hidesAddress ? codeOf(error) : causeOf(error);
    throw new NodeError('request_failed', `${name} could not be reached: ${cause}`);
  }
}

/** Returns the secrets that the templates of the request read. Rejects with a NodeError when one is missing. */
async function readSecrets(context: NodeContext): Promise<readonly UsableSecret[]> {
  const names = await secretNames(context.config, context);
  return names.length === 0 ? [] : context.secrets.read(names, context.signal);
}

function writeOutput(received: HttpOutput): string {
  const text = stringifyJson(received);
  if (text.length > maximumOutput)
    throw new NodeError('output_too_large', 'The response exceeds 8 MiB as JSON, headers included.');
  if (isTooDeep(text)) throw responseTooDeep();
  return text;
}

function responseTooDeep(): NodeError {
  return new NodeError('too_deep', `The response is JSON nested more than ${maximumJsonDepth} levels deep.`);
}

function refuseStatus(
  config: RequestConfig,
  name: string,
  { status, body }: HttpOutput,
  { head, body: kept }: HttpMessage,
): void {
  const isExpected = config.expectedStatus?.includes(status) ?? (status >= 200 && status < 300);
  if (isExpected) return;
  const beginning = readBinary(body) === undefined ? beginningOf(textOfJson(body)) : '';
  const message = `${name} answered ${status}${beginning === '' ? '.' : `: ${beginning}`}`;
  throw new NodeError('http_status', message, {
    status,
    response: { ...head, body: parseJson(kept) ?? null },
  });
}

/** The beginning of a body in one line: most services say there why they refused the request. */
function beginningOf(text: string): string {
  const line = text
    .slice(0, 2 * maximumBeginning)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > maximumBeginning ? `${line.slice(0, maximumBeginning)}…` : line;
}

/**
 * An address or a header without a value would be sent by accident, such as `Bearer null`; in a query, a whole value may be left out.
 * Throws a NodeError.
 */
function refuseEmpty(empty: readonly EmptyTemplate[]): void {
  const found = empty.find(
    ({ path: [member], isValue }) =>
      member === 'url' || member === 'headers' || (member === 'query' && !isValue),
  );
  if (found)
    throw new NodeError(
      'template_empty',
      `Nothing was sent because a template gave nothing: ${nameEmpty(found)}.`,
    );
}

function nameEmpty({ path, expression }: EmptyTemplate): string {
  return `${path.join('.')} ({{ ${expression} }})`;
}

/** What is reported of an error that could contain the address. */
function codeOf(error: unknown): string {
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  return last instanceof Error && 'code' in last ? String(last.code) : 'the connection failed';
}

/** Node reports several unreachable addresses as an AggregateError without a message of its own. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return causeOf(error.errors.at(-1));
  return messageOf(error);
}

const hiddenHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'private-token',
  'x-access-token',
  'x-amz-security-token',
  'x-auth-token',
  'x-goog-api-key',
]);
/** A stored message is nested in other values, which can't be deeper than any value. */
const maximumBodyDepth = maximumJsonDepth - 10;

/** `body`: undefined for none. A body that would be nested too deep is stored as text. */
function toMessage(
  head: Readonly<Record<string, JsonValue>>,
  headers: JsonObject,
  body: JsonValue | undefined,
): HttpMessage {
  const text = stringifyJson(body ?? null);
  return {
    head: { ...head, headers: hideHeaders(headers) },
    body: isTooDeep(text, maximumBodyDepth) ? stringifyJson(text) : text,
  };
}

function hideHeaders(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      hiddenHeaders.has(name.toLowerCase()) ? hiddenValue : value,
    ]),
  );
}
