import * as v from 'valibot';
import { readBinary } from '../../../base/binary.ts';
import {
  type ExactNumber,
  isExactNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../../base/json.ts';
import { isTooDeep, maximumJsonDepth } from '../../../base/jsonScan.ts';
import { messageOf, NodeError } from '../../errors.ts';
import type { Hide } from '../../../base/secrets.ts';
import { encodePiece } from '../../sandbox/addressText.ts';
import type { EmptyTemplate, Rendered, SecretValues } from '../../sandbox/messages.ts';
import type { HttpMessage } from '../../store/exchanges.ts';
import { callHttp, type Hop, type HttpAnswer, readUrl } from './httpCall.ts';
import { hidden, hideTexts } from './hiddenConfig.ts';
import { readFields, textOfJson } from './formFields.ts';
import { readReceivedBody, type SentBody, tooDeep, writeSentBody } from './httpBodies.ts';
import { toMessage } from './httpMessages.ts';
import { maximumOutput, type NodeBehaviour, type NodeContext, readConfig } from './nodeBehaviour.ts';

const mebibyte = 1024 * 1024;
/** Of a body in a message, in UTF-16 units. */
const maximumBeginning = 200;
const exactNumber = v.custom<ExactNumber>(isExactNumber);
const Config = v.object({
  method: v.optional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']), 'GET'),
  url: v.string(),
  query: v.optional(v.custom<JsonObject>(isJsonObject, 'must be an object'), {}),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), exactNumber])), {}),
  body: v.optional(v.custom<JsonValue>((value) => value !== undefined)),
  timeoutMs: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(120_000)), 10_000),
  maximumBytes: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(mebibyte)), mebibyte),
  expectedStatus: v.optional(v.array(v.number())),
});
type Config = v.InferOutput<typeof Config>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

/** What is sent. */
interface Outgoing {
  readonly url: URL;
  readonly method: string;
  /** With the names as the author wrote them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SentBody | undefined;
}

interface FilledRequest {
  readonly request: Config;
  readonly outgoing: Outgoing;
  /** The same without what templates made of secrets. */
  readonly told: Outgoing;
  /** Whether the address has something of a secret. */
  readonly isAddressHidden: boolean;
}

/** Output: `{status, headers, body}`; the body is JSON where the response is, else text or bytes. */
export const runHttpRequest: NodeBehaviour = async (context) => {
  const { config, scope, sandbox, signal, hide, say, conclude, record } = context;
  const secrets = await readSecrets(context);
  const filled = await sandbox.render(config, scope, signal, { secrets, address: 'url' });
  const { empty } = filled;
  refuseEmpty(empty);
  const { request, outgoing, told, isAddressHidden } = readFilled(filled);
  const nulls = empty.filter(({ path }) => path[0] === 'body').map(nameEmpty);
  const gap = outgoing.body?.isForm === true ? 'form has no value' : 'body has null';
  if (nulls.length > 0) await say('warn', `The ${gap} where a template gave nothing: ${nulls.join(', ')}.`);
  const shown = `${told.method} ${told.url.origin}${told.url.pathname}`;
  await say('info', `Calling ${shown}.`);
  const sent = toMessage({ method: told.method, url: told.url.href }, told.headers, told.body?.shown);
  let redirects: readonly JsonObject[] = [];
  const recordedRequest = (): HttpMessage =>
    redirects.length === 0 ? sent : { ...sent, head: { ...sent.head, redirects } };
  record({ request: recordedRequest(), response: null });
  const started = performance.now();
  const answer = await send(
    { request, outgoing, told, isAddressHidden },
    shown,
    context,
    ({ status, url }) => {
      redirects = [...redirects, { status, url: isAddressHidden ? hidden : url }];
      record({ request: recordedRequest(), response: null });
    },
  );
  const { status } = answer;
  const headers = hideIn(answer.headers, hide);
  const body = readReceivedBody(answer.body, headers['content-type'], hide);
  const response = toMessage({ status }, headers, body.shown);
  record({ request: recordedRequest(), response });
  conclude('info', `${shown} answered ${status} in ${Math.round(performance.now() - started)} ms.`);
  if (body.value === tooDeep) throw answerTooDeep();
  refuseStatus(request, shown, { status, headers, body: body.value }, response);
  return writeOutput({ status, headers, body: body.value });
};

/**
 * What is sent, and what is told of it: without what templates made of secrets, which an error doesn't name either. Throws a NodeError.
 */
function readFilled({ value, hidden: texts }: Rendered): FilledRequest {
  if (texts.length === 0) {
    const request = readConfig(Config, value);
    const outgoing = prepare(request);
    return { request, outgoing, told: outgoing, isAddressHidden: false };
  }
  const told = prepare(readConfig(Config, nameAddress(hideTexts(value, texts), value)));
  const isAddressHidden = texts.some(({ path: [member] }) => member === 'url' || member === 'query');
  try {
    const request = readConfig(Config, value);
    return { request, outgoing: prepare(request), told, isAddressHidden };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new NodeError(
      error.code,
      'Nothing was sent because the request is wrong where a template reads a secret, so the reason stays hidden.',
    );
  }
}

/** Where a secret is the beginning of an address, there's none to tell but its protocol. */
function nameAddress(shown: JsonValue, value: JsonValue): JsonValue {
  const urlOf = (config: JsonValue) => URL.parse(isJsonObject(config) ? textOfJson(config['url'] ?? '') : '');
  const isAddress = /^https?:$/.test(urlOf(shown)?.protocol ?? '');
  if (isAddress || !isJsonObject(shown)) return shown;
  return { ...shown, url: `${urlOf(value)?.protocol === 'http:' ? 'http' : 'https'}://${hidden}/` };
}

function prepare({ method, url, headers: authors, query, body }: Config): Outgoing {
  const headers = Object.fromEntries(
    Object.entries(authors).map(([name, value]) => [name, textOfJson(value)]),
  );
  refuseHeaders(headers);
  const type = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  const sent = body === undefined ? undefined : writeSentBody(body, type && headers[type]);
  return {
    url: addQuery(readUrl(url), query),
    method,
    headers: sent?.contentType === undefined ? headers : { ...headers, 'Content-Type': sent.contentType },
    body: sent,
  };
}

/** Throws a NodeError. */
function refuseHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers([[name, value]]);
    } catch {
      throw new NodeError(
        'header_invalid',
        `Nothing was sent because the name or the value of the header ${stringifyJson(name)} has a character that no header can have.`,
      );
    }
}

/** Adds the query to what the address has. */
function addQuery(url: URL, query: JsonObject): URL {
  const added = readFields(query, 'query').map(
    ([name, value]) => `${encodePiece(name)}=${encodePiece(value)}`,
  );
  if (added.length === 0) return url;
  const whole = new URL(url);
  whole.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...added].join('&');
  return whole;
}

async function send(
  { outgoing: { url, method, headers, body }, request, told, isAddressHidden }: FilledRequest,
  shown: string,
  { signal, refusesPrivateAddresses }: NodeContext,
  onRedirect: (hop: Hop) => void,
): Promise<HttpAnswer> {
  const { timeoutMs, maximumBytes } = request;
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const call = {
    url,
    origin: told.url.origin,
    method,
    headers: new Headers(headers),
    maximumBytes,
    refusesPrivateAddresses,
    onRedirect,
  };
  try {
    return await callHttp({ ...call, body: body?.bytes, signal: end });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof NodeError)
      throw isAddressHidden && error.code === 'address_refused'
        ? new NodeError(error.code, `${shown} leads to a private address, which the service refuses.`)
        : error;
    if (end.aborted)
      throw new NodeError('request_timed_out', `${shown} did not answer within ${timeoutMs} ms.`);
    throw new NodeError(
      'request_failed',
      `${shown} could not be reached: ${isAddressHidden ? codeOf(error) : causeOf(error)}`,
    );
  }
}

/** An answer can repeat what was sent. */
function hideIn(headers: HttpAnswer['headers'], hide: Hide): HttpAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [hide(name), hide(value)]));
}

/** Returns the secrets that the templates of the request read. Rejects with a NodeError when one is missing. */
async function readSecrets({ config, sandbox, secrets, signal }: NodeContext): Promise<SecretValues> {
  const { url = null, query = null, headers = null, body = null } = config;
  const templates = [url, query, headers, body];
  // Most requests use none, and this look is far cheaper than to read their expressions.
  const text = stringifyJson(templates);
  if (!text.includes('secrets')) return {};
  const names = await secrets.namesIn(text, () => sandbox.findSecrets(templates, signal));
  return names.length === 0 ? {} : secrets.read(names, signal);
}

function writeOutput(answer: Answer): string {
  const text = stringifyJson(answer);
  if (text.length > maximumOutput)
    throw new NodeError('output_too_large', 'The answer has more than 8 MiB as JSON, its headers included.');
  if (isTooDeep(text)) throw answerTooDeep();
  return text;
}

function answerTooDeep(): NodeError {
  return new NodeError('too_deep', `The answer is JSON that is more than ${maximumJsonDepth} deep.`);
}

function refuseStatus(
  request: Config,
  shown: string,
  { status, body }: Answer,
  { head, body: kept }: HttpMessage,
): void {
  const isExpected = request.expectedStatus?.includes(status) ?? (status >= 200 && status < 300);
  if (isExpected) return;
  const beginning = readBinary(body) === undefined ? beginningOf(textOfJson(body)) : '';
  const message = `${shown} answered ${status}${beginning === '' ? '.' : `: ${beginning}`}`;
  throw new NodeError('http_status', message, {
    status,
    response: { ...head, body: parseJson(kept) ?? null },
  });
}

/** The beginning of a body in one line: most services say there why they refuse. */
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

/** What is told of an error that could name the address. */
function codeOf(error: unknown): string {
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  return last instanceof Error && 'code' in last ? String(last.code) : 'the connection failed';
}

/** Node reports several unreachable addresses as an AggregateError without a message of its own. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return causeOf(error.errors.at(-1));
  return messageOf(error);
}
