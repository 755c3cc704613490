// Reads a response's body within limits, decodes it, and checks it for errors.
import { isJsonObject, readJson } from '../../base/json.ts';
import { ServiceError, type UnreadableCause } from '../../domain/errors.ts';
import { type CallContext, classify } from '../errors/classify.ts';
import { type ErrorAnswer, isHtml } from '../errors/errorText.ts';
import { readLimit, readRemaining, readRetryAfter, retryAfterOrDefault } from '../errors/rateLimitHeaders.ts';
import type { RateLimit } from '../budget/places.ts';
import type { HttpResponse } from '../http/httpPort.ts';
import { saysFailed } from '../decode/unwrap.ts';

/** A complete response. body: parsed JSON; undefined when it's empty, not JSON, or nested too deep. */
export interface Answer extends ErrorAnswer {
  /** True for JSON that's nested too deep to be read. */
  readonly isTooDeep: boolean;
  /** The media type in lower case without parameters; '' when there's none. */
  readonly mediaType: string;
  /** The response's address, after redirects. */
  readonly url: string;
  /** The connection that was called; null if the client belongs to none. */
  readonly connectionId: string | null;
}

export function toAnswer(response: HttpResponse, url: string, text: string): Answer {
  const { status, statusText, headers } = response;
  const mediaType = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const reading = readJson(text);
  const body = reading.kind === 'value' ? reading.value : undefined;
  // Plain text may contain any number of brackets.
  const isTooDeep = reading.kind === 'tooDeep' && (isJsonType(mediaType) || mediaType === '');
  return { status, statusText, headers, text, body, isTooDeep, mediaType, url, connectionId: null };
}

/** True for media types that stand for a single JSON value. */
export function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** Returns the error in a response; undefined for a success. anyContent: the body is the user's own data and isn't checked. */
export function failureOf(
  answer: Answer,
  context: CallContext,
  anyContent: boolean,
): ServiceError | undefined {
  const { status, body, mediaType, text } = answer;
  if (status < 200 || status > 299) return classify(answer, context);
  const unreadable = (cause: UnreadableCause, message: string): ServiceError =>
    new ServiceError({ kind: 'unreadable', cause }, message, { status });
  if (answer.isTooDeep) return unreadable('tooDeep', 'The answer is nested too deep.');
  if (anyContent) return undefined;
  if (isHtml(answer)) return unreadable('webPage', 'A web page came where the service should have answered.');
  if (isJsonType(mediaType) && body === undefined && text.trim() !== '')
    return unreadable('notJson', 'The answer is not valid JSON.');
  // Classified by its body, because a 2xx status doesn't say why the call failed.
  return isJsonObject(body) && saysFailed(body) ? classify(answer, context, 400) : undefined;
}

/** Reads the rate limit from a response. error: the failure that the response was classified as. */
export function readRateLimit(answer: ErrorAnswer, error: ServiceError | undefined, now: number): RateLimit {
  const isRefusal = error?.reason.kind === 'rateLimited';
  return {
    limit: readLimit(answer.headers),
    remaining: readRemaining(answer.headers),
    resetInMs: readRetryAfter(answer, now),
    pauseMs: isRefusal ? retryAfterOrDefault(answer, now) : null,
    isQuota: error?.reason.kind === 'rateLimited' && error.reason.isQuota,
  };
}

/** Maximum size of a response in bytes: an execution's output, and everything else. */
export const bodyLimits = { output: 64 * 1024 * 1024, other: 16 * 1024 * 1024 } as const;

function tooLarge(maximumBytes: number): ServiceError {
  const message = `The answer is larger than ${Math.round(maximumBytes / 1024 / 1024)} MiB.`;
  return new ServiceError({ kind: 'unreadable', cause: 'tooLarge' }, message);
}

/** Returns the body as UTF-8 text. Rejects with "unreadable" when it's compressed or exceeds the limit. */
export async function readText(response: HttpResponse, maximumBytes: number): Promise<string> {
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  if (!/^\s*(identity)?\s*$/i.test(encoding))
    throw new ServiceError(
      { kind: 'unreadable', cause: 'encoded' },
      'The answer is compressed, which was not asked for.',
    );
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maximumBytes) throw tooLarge(maximumBytes);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

const drainBytes = 64 * 1024;

/** Drops an unused body, so that its connection can be reused or closed. */
export async function discard(response: HttpResponse): Promise<void> {
  if (response.body === null) return;
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > drainBytes) break;
  }
}
