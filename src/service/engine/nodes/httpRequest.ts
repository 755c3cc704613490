import * as v from 'valibot';
import { isTooDeep, type JsonValue, maximumJsonDepth, readJson } from '../../../base/json.ts';
import { messageOf, NodeError } from '../../errors.ts';
import type { EmptyTemplate } from '../../sandbox/messages.ts';
import { callHttp, readUrl } from './httpCall.ts';
import { maximumOutput, type NodeBehaviour, readConfig } from './nodeBehaviour.ts';

const mebibyte = 1024 * 1024;
/** Of a body in a message, in UTF-16 units. */
const maximumBeginning = 200;
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

/** Output: `{status, headers, body}`; the body is parsed when the response is JSON, else it's text. */
export const runHttpRequest: NodeBehaviour = async ({
  config,
  scope,
  sandbox,
  signal,
  say,
  conclude,
  refusesPrivateAddresses,
}) => {
  const { value, empty } = await sandbox.render(config, scope, signal);
  refuseEmpty(empty);
  const request = readConfig(Config, value);
  const url = readUrl(request.url);
  const nulls = empty.filter(({ path }) => path[0] === 'body').map(nameEmpty);
  if (nulls.length > 0)
    await say('warn', `The body has null where a template gave nothing: ${nulls.join(', ')}.`);
  const shown = `${request.method} ${url.origin}${url.pathname}`;
  await say('info', `Calling ${shown}.`);
  const started = performance.now();
  const end = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)]);
  let answer: Answer;
  try {
    answer = await send(url, request, { signal: end, refusesPrivateAddresses });
  } catch (error) {
    if (signal.aborted || error instanceof NodeError) throw error;
    if (end.aborted)
      throw new NodeError('request_timed_out', `${shown} did not answer within ${request.timeoutMs} ms.`);
    throw new NodeError('request_failed', `${shown} could not be reached: ${causeOf(error)}`);
  }
  conclude('info', `${shown} answered ${answer.status} in ${Math.round(performance.now() - started)} ms.`);
  refuseStatus(request, shown, answer);
  return writeOutput(answer);
};

async function send(
  url: URL,
  request: Config,
  options: { readonly signal: AbortSignal; readonly refusesPrivateAddresses: boolean },
): Promise<Answer> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const { method, maximumBytes } = request;
  const body =
    request.body === undefined || typeof request.body === 'string'
      ? request.body
      : JSON.stringify(request.body);
  if (body !== undefined && body !== request.body && !headers.has('Content-Type'))
    headers.set('Content-Type', 'application/json');
  const answer = await callHttp({ ...options, method, url, headers, body, maximumBytes });
  const isJson = /\bjson\b/i.test(answer.headers['content-type'] ?? '');
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? readBody(answer.text) : answer.text,
  };
}

/** Returns text when the body isn't valid JSON. */
function readBody(text: string): JsonValue {
  const reading = readJson(text);
  if (reading.kind === 'tooDeep') throw answerTooDeep();
  return reading.kind === 'value' ? reading.value : text;
}

function writeOutput(answer: Answer): string {
  const text = JSON.stringify(answer);
  if (text.length > maximumOutput)
    throw new NodeError('output_too_large', 'The answer has more than 8 MiB as JSON, its headers included.');
  if (isTooDeep(text)) throw answerTooDeep();
  return text;
}

function answerTooDeep(): NodeError {
  return new NodeError('too_deep', `The answer is JSON that is more than ${maximumJsonDepth} deep.`);
}

function refuseStatus(request: Config, shown: string, { status, body }: Answer): void {
  const isExpected = request.expectedStatus?.includes(status) ?? (status >= 200 && status < 300);
  if (isExpected) return;
  const beginning = beginningOf(typeof body === 'string' ? body : JSON.stringify(body));
  throw new NodeError(
    'http_status',
    `${shown} answered ${status}${beginning === '' ? '.' : `: ${beginning}`}`,
  );
}

/** The beginning of a body in one line: most services say there why they refuse. */
function beginningOf(text: string): string {
  const line = text
    .slice(0, 2 * maximumBeginning)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > maximumBeginning ? `${line.slice(0, maximumBeginning)}…` : line;
}

/** An address or a header without a value would be sent by accident, such as `Bearer null`. Throws a NodeError. */
function refuseEmpty(empty: readonly EmptyTemplate[]): void {
  const found = empty.find(({ path: [member] }) => member === 'url' || member === 'headers');
  if (found)
    throw new NodeError(
      'template_empty',
      `Nothing was sent, as a template gave nothing: ${nameEmpty(found)}.`,
    );
}

function nameEmpty({ path, expression }: EmptyTemplate): string {
  return `${path.join('.')} ({{ ${expression} }})`;
}

/** Node reports several unreachable addresses as an AggregateError without a message of its own. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return causeOf(error.errors.at(-1));
  return messageOf(error);
}
