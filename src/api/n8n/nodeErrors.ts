// Why a node of n8n failed: its sentence, and what an HTTP node got in response.
import * as v from 'valibot';
import { truncateText } from '../../base/format.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import type { RunError } from '../../domain/execution.ts';

const text = v.fallback(v.string(), '');
/** Without the stack, which is never shown. */
export const N8nNodeError = v.object({
  message: text,
  name: v.fallback(v.nullable(v.string()), null),
  description: text,
  httpCode: v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), ''),
  messages: v.fallback(v.array(v.string()), []),
  /** Of the child that failed. */
  executionId: v.fallback(v.nullable(v.string()), null),
  context: v.fallback(
    v.object({ request: v.fallback(v.optional(v.custom<JsonObject>(isJsonObject)), undefined) }),
    { request: undefined },
  ),
});
export type N8nNodeError = v.InferOutput<typeof N8nNodeError>;

const maximumBody = 500;
/** Headers that n8n doesn't hide in its records. */
const secretHeaders = /auth|cookie|key|token|secret/i;
const hidden = '***';

export function toRunError(error: N8nNodeError | undefined, node: string | null): RunError | null {
  if (error === undefined) return null;
  const { name, description } = error;
  const response = readResponse(error);
  const sentence = statusAndBody.test(error.message) ? '' : oneLine(error.message);
  // Of a response, n8n repeats a part of the body there.
  const more = response === undefined ? oneLine(withoutMarkup(description)) : '';
  const parts = [
    sentence === '' && response === undefined ? (name ?? '') : sentence,
    ...(more === '' || more === sentence ? [] : [more]),
    ...(response === undefined ? [] : [`HTTP ${response.status}: ${short(response.body)}`]),
  ];
  const said = parts.filter((part) => part !== '');
  const ended = said.map((part, index) =>
    index < said.length - 1 && /[^.!?]$/.test(part) ? `${part}.` : part,
  );
  return { code: name, message: ended.join(' '), nodeId: node };
}

/** What an HTTP node that failed sent and got in response, as other services record it; undefined for other nodes. */
export function toExchange(error: N8nNodeError | undefined): JsonValue | undefined {
  const request = error?.context.request;
  if (error === undefined || request === undefined) return undefined;
  const { method, uri, url, headers = null, body = null } = request;
  const address = typeof uri === 'string' ? uri : url;
  if (typeof method !== 'string' || typeof address !== 'string') return undefined;
  const response = readResponse(error);
  return {
    request: { method, url: address, headers: isJsonObject(headers) ? withoutSecrets(headers) : {}, body },
    ...(response === undefined ? {} : { response: { ...response, headers: {} } }),
  };
}

/** n8n keeps the response as a text: the status, and the body as JSON text. */
const statusAndBody = /^(\d{3}) - (.*)$/s;

/** Of a node that went on at its error output, the response is the message itself. */
function readResponse({
  httpCode,
  message,
  messages: [first = message],
}: N8nNodeError): { readonly status: number; readonly body: JsonValue } | undefined {
  const [, code, rest = ''] = statusAndBody.exec(first) ?? [];
  const status = Number(code ?? httpCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const quoted = parseJson(rest);
  const body = typeof quoted === 'string' ? quoted : rest;
  return { status, body: parseJson(body) ?? body };
}

function withoutSecrets(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.test(name) ? hidden : value]),
  );
}

const oneLine = (sentence: string): string => sentence.replace(/\s+/g, ' ').trim();

/** n8n writes some sentences for its own page. A link behind the last of them leads away from here. */
function withoutMarkup(sentence: string): string {
  return sentence
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/(?<=[.!?]\s?)<a\b[^<>]*>[^<>]*<\/a>\s*$/i, '')
    .replace(/<\/?[a-z][^<>]*>/gi, '');
}

function short(body: JsonValue): string {
  const whole = typeof body === 'string' ? oneLine(body) : stringifyJson(body);
  return truncateText(whole, maximumBody);
}
