import * as v from 'valibot';
import { type JsonValue, readJson } from '../../base/json.ts';
import { maximumJsonDepth } from '../../base/jsonScan.ts';
import { type Fault, type Faults, firstFaults, moreWords, writePath } from '../../definition/faultList.ts';
import { charsetOf, decodeText, isJsonType, mediaTypeOf, readBytes } from '../../protocol/body.ts';
import { limits } from '../../protocol/operations.ts';
import { HttpError, invalidRequest } from './httpError.ts';
import type { ServiceContext } from './routes.ts';

/** Returns the body as JSON; undefined when it's empty. Rejects with 408, 413, 415, 400 `invalid_json` or 422 `too_deep`. */
export async function readJsonBody(
  context: ServiceContext,
  maximumBytes: number = limits.bodyBytes,
): Promise<JsonValue | undefined> {
  if (Number(context.req.header('Content-Length') ?? 0) > maximumBytes) throw tooLarge(maximumBytes);
  const { body } = context.req.raw;
  const chunks = body ? chunksOf(body, context.get('bodyTimeoutMs')) : [];
  const bytes = await readBytes(chunks, maximumBytes);
  if (bytes === undefined) throw tooLarge(maximumBytes, closing);
  if (bytes.byteLength === 0) return undefined;
  const coding = context.req.header('Content-Encoding')?.trim() ?? '';
  if (coding !== '' && coding.toLowerCase() !== 'identity')
    throw new HttpError(415, 'unsupported_media_type', 'The body must be sent without a Content-Encoding.', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  const type = context.req.header('Content-Type');
  if (!isJsonType(mediaTypeOf(type)))
    throw new HttpError(415, 'unsupported_media_type', 'The body must be application/json.');
  const charset = charsetOf(type) ?? 'utf-8';
  const text = decodeText(bytes, charset);
  if (text === undefined)
    throw new HttpError(400, 'invalid_json', `The body is not valid text in ${charset}.`);
  const reading = readJson(text);
  if (reading.kind === 'value') return reading.value;
  if (reading.kind === 'notJson') throw new HttpError(400, 'invalid_json', 'The body is not JSON.');
  throw new HttpError(422, 'too_deep', `The body is JSON nested more than ${maximumJsonDepth} levels deep.`);
}

/** Returns the body as JSON; `{}` when it's empty, where all members have defaults. Rejects as `readJsonBody`. */
export async function readOptionalBody(context: ServiceContext): Promise<JsonValue> {
  const body = await readJsonBody(context);
  return body === undefined ? {} : body;
}

/** Returns the validated body; rejects with 400 `invalid_json` when it's empty. */
export async function readRequest<T extends v.GenericSchema>(
  context: ServiceContext,
  schema: T,
): Promise<v.InferOutput<T>> {
  const body = await readJsonBody(context);
  if (body === undefined) throw new HttpError(400, 'invalid_json', 'The body is empty.');
  return checkRequest(schema, body);
}

/** Validates a value; throws 422 with the code and the first faults as details. */
export function checkRequest<T extends v.GenericSchema>(
  schema: T,
  value: JsonValue,
  code = 'validation_failed',
): v.InferOutput<T> {
  const result = v.safeParse(schema, value, { message: ofObject });
  if (result.success) return result.output;
  const all = result.issues.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  throw refuseFaults(
    code,
    firstFaults(all),
    ({ path, message }) => `${writePath(path) || 'The body'} ${message}.`,
  );
}

/** The message for a value that isn't an object. Valibot's own would also be used for a missing member. */
function ofObject({ received }: v.BaseIssue<unknown>): string {
  return received === 'undefined' ? 'is missing' : 'must be an object';
}

function pathOf({ path }: v.BaseIssue<unknown>): readonly string[] {
  return (path ?? []).map(({ key }) => String(key));
}

/** Returns a 422 whose message has the first fault and the number of further ones, with the first 20 as details. */
export function refuseFaults(
  code: string,
  { faults, more }: Faults,
  say: (fault: Fault) => string,
): HttpError {
  const [first, ...others] = faults;
  const message = first ? say(first) : 'The body is invalid.';
  const unlisted = more === null ? null : others.length + more;
  return new HttpError(422, code, unlisted === 0 ? message : `${message} ${moreWords(unlisted)}`, {
    details: faults.map(({ path, message: words }) => ({ path: writePath(path), message: words })),
  });
}

/** Yields the body's chunks. Rejects when the whole body doesn't arrive in time, and cancels the rest. */
async function* chunksOf(body: ReadableStream<Uint8Array>, timeoutMs: number): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(timeoutMs)), timeoutMs);
  });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(refuseIncomplete), late]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
}

/** Closes the connection, because the rest of the body would be taken for the next request. */
const closing = { Connection: 'close' };

function tooLate(timeoutMs: number): HttpError {
  return new HttpError(
    408,
    'request_timeout',
    `The request body didn't arrive within ${timeoutMs / 1000} s.`,
    { headers: closing },
  );
}

function tooLarge(maximumBytes: number, headers: HttpError['headers'] = {}): HttpError {
  return new HttpError(413, 'payload_too_large', `The body exceeds ${maximumBytes} bytes.`, { headers });
}

/** The client has gone, so nobody reads this: it's no failure of the service in its log and its figures. */
function refuseIncomplete(): never {
  throw invalidRequest('The connection closed before the whole body arrived.');
}
