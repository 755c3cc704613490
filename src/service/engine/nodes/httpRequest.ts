import { readBinary } from '../../../base/binary.ts';
import { beginningOf, truncateText } from '../../../base/format.ts';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../../base/json.ts';
import { isTooDeep, maximumJsonDepth } from '../../../base/jsonScan.ts';
import { hiddenValue } from '../../../domain/secret.ts';
import { NodeError } from '../../errors.ts';
import type { EmptyTemplate } from '../../sandbox/messages.ts';
import type { UsableSecret } from '../../secrets/secrets.ts';
import type { HttpMessage } from '../../store/exchanges.ts';
import { retryUntilStored } from '../../store/storageError.ts';
import { answerRequest } from './answerRequest.ts';
import { textOfJson } from './formFields.ts';
import { tooDeep } from './httpBodies.ts';
import type { Redirect } from './httpCall.ts';
import { sendRequest } from './sendRequest.ts';
import { maximumOutput, type NodeBehaviour, type NodeContext } from './nodeBehaviour.ts';
import { secretNames } from './secretNames.ts';
import { isJsonText, readOutgoingRequest, refuseOrigin, type RequestConfig } from './outgoingRequest.ts';

/** Of a body in a message, in UTF-16 units. */
const maximumBeginning = 200;

interface HttpOutput {
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: JsonValue;
}

/** Output: `{status, headers, body}`; the body is JSON where the response is, else text or bytes. */
export const runHttpRequest: NodeBehaviour = async (context) => {
  const { config, scope, sandbox, signal, masking, answer, say, conclude } = context;
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
  await say('info', answer ? `${name} isn't sent, because the draft answers it.` : `Calling ${name}.`);
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
  const record = (request: HttpMessage, response: HttpMessage | null): void =>
    context.record({ request, response, ...(answer && { answered: true }) });
  record(sent, null);
  const received = await (
    answer ? answerRequest(answer, request, name, context) : sendRequest(request, name, context, hops)
  ).catch(async (error: unknown) => {
    if (hops.length > 0) record(await withHops(), null);
    throw error;
  });
  const { status, body } = received;
  // A response can repeat what was sent.
  const headers = await masking.object(received.headers);
  if (headers !== received.headers || body.isChanged)
    await say('warn', 'The response contains values of secrets, which are replaced with ***.');
  const response = toMessage({ status }, headers, body.shown);
  record(await withHops(), response);
  const end = answer ? ', as the draft says' : ` in ${Math.round(received.durationMs)} ms`;
  conclude('info', `${name} answered ${status}${end}.`);
  if (body.value === tooDeep) throw responseTooDeep();
  const output = { status, headers: withLowerNames(headers), body: body.value };
  refuseStatus(request.config, name, output, response);
  return { text: writeOutput(output), isMasked: true };
};

/** Returns the secrets that the templates of the request read. Rejects with a NodeError when one is missing. */
async function readSecrets(context: NodeContext): Promise<readonly UsableSecret[]> {
  const names = await secretNames(context.config, context);
  if (names.length === 0) return [];
  return retryUntilStored(context.signal, () => context.secrets.read(names, context.signal));
}

/** Those of a response that came are so already; a draft's are as their author wrote them. */
function withLowerNames(headers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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
  const beginning = readBinary(body) === undefined ? beginningOfBody(textOfJson(body)) : '';
  const message = `${name} answered ${status}${beginning === '' ? '.' : `: ${beginning}`}`;
  throw new NodeError('http_status', message, {
    status,
    response: { ...head, body: parseJson(kept) ?? null },
  });
}

/** The beginning of a body in one line: most services say there why they refused the request. */
function beginningOfBody(text: string): string {
  const line = beginningOf(text, 2 * maximumBeginning)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return truncateText(line, maximumBeginning);
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
