// Calls another service, bounded in time and size, and fails on an answer that is no success.
import * as v from 'valibot';
import { isTooDeep, maximumJsonDepth, readJson } from '../../../base/json.ts';
import type { JsonValue } from '../../../base/json.ts';
import { NodeError } from '../nodeError.ts';
import { readConfig } from './nodeBehaviour.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const mebibyte = 1024 * 1024;
const Config = v.object({
  method: v.optional(v.picklist(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']), 'GET'),
  url: v.string(),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
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

/** Output: `{status, headers, body}`; the body is JSON when the answer says so, else text. */
export const runHttpRequest: NodeBehaviour = async ({ config, scope, sandbox, signal, say }) => {
  const request = readConfig(Config, await sandbox.render(config, scope, signal));
  const url = readUrl(request.url);
  const shown = `${request.method} ${url.origin}${url.pathname}`;
  await say('info', `Calls ${shown}.`);
  const started = performance.now();
  const end = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)]);
  let answer: Answer;
  try {
    answer = await send(url, request, end);
  } catch (error) {
    if (signal.aborted || error instanceof NodeError) throw error;
    if (end.aborted)
      throw new NodeError('request_timed_out', `${shown} did not answer within ${request.timeoutMs} ms.`);
    throw new NodeError('request_failed', `${shown} could not be reached: ${causeOf(error)}`);
  }
  await say('info', `${shown} answered ${answer.status} in ${Math.round(performance.now() - started)} ms.`);
  refuseStatus(request, shown, answer.status);
  return writeOutput(answer);
};

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new NodeError('url_invalid', `"${text}" is not a URL.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NodeError('url_invalid', `Only http and https can be called, not ${url.protocol}`);
  return url;
}

async function send(url: URL, request: Config, signal: AbortSignal): Promise<Answer> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const { body } = request;
  if (body !== undefined && typeof body !== 'string' && !headers.has('Content-Type'))
    headers.set('Content-Type', 'application/json');
  const response = await fetch(url, {
    method: request.method,
    headers,
    signal,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await readBounded(response, request.maximumBytes);
  const isJson = /\bjson\b/i.test(response.headers.get('Content-Type') ?? '');
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson ? readBody(text) : text,
  };
}

/** What says that it is JSON and is not stays text. */
function readBody(text: string): JsonValue {
  const reading = readJson(text);
  if (reading.kind === 'tooDeep') throw answerTooDeep();
  return reading.kind === 'value' ? reading.value : text;
}

function writeOutput(answer: Answer): string {
  const text = JSON.stringify(answer);
  if (text.length > mebibyte)
    throw new NodeError('output_too_large', 'The answer has more than 1 MiB as JSON, its headers included.');
  if (isTooDeep(text)) throw answerTooDeep();
  return text;
}

function answerTooDeep(): NodeError {
  return new NodeError('too_deep', `The answer is JSON that is more than ${maximumJsonDepth} deep.`);
}

async function readBounded(response: Response, maximumBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes)
      throw new NodeError('response_too_large', `The answer has more than ${maximumBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function refuseStatus(request: Config, shown: string, status: number): void {
  const isExpected = request.expectedStatus?.includes(status) ?? (status >= 200 && status < 300);
  if (!isExpected) throw new NodeError('unexpected_status', `${shown} answered ${status}.`);
}

/** fetch wraps the transport's own error. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
