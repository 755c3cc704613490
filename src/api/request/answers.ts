// An answer's body is decoded and judged once, before any resource looks at it.
import { isJsonObject, readJson } from '../../base/json.ts';
import { ServiceError, type UnreadableCause } from '../../domain/serviceError.ts';
import { type CallContext, classify } from '../errors/classify.ts';
import { type ErrorAnswer, isHtml } from '../errors/errorText.ts';
import { readLimit, readRemaining, readRetryAfter, retryAfterOrDefault } from '../errors/rateLimitHeaders.ts';
import type { RateLimit } from '../budget/limitRules.ts';
import type { HttpResponse } from '../http/httpPort.ts';
import { saysFailed } from '../decode/unwrap.ts';

/** A complete answer. body: as JSON; undefined when it is empty, no JSON or nested too deep. */
export interface Answer extends ErrorAnswer {
  /** JSON deeper than is read. */
  readonly isTooDeep: boolean;
  /** The media type in lower case without parameters; '' when none was told. */
  readonly mediaType: string;
  /** Where it came from, after redirects. */
  readonly url: string;
}

export function toAnswer(response: HttpResponse, url: string, text: string): Answer {
  const { status, statusText, headers } = response;
  const mediaType = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const reading = readJson(text);
  const body = reading.kind === 'value' ? reading.value : undefined;
  // Plain text may hold any brackets.
  const isTooDeep = reading.kind === 'tooDeep' && (isJsonType(mediaType) || mediaType === '');
  return { status, statusText, headers, text, body, isTooDeep, mediaType, url };
}

/** True for the media types that promise one JSON value. */
export function isJsonType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** The error in an answer, or undefined for a success. anyContent: the body is the user's own, not to be judged. */
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
  // The body decides: such a status carries no reason of its own.
  return isJsonObject(body) && saysFailed(body) ? classify(answer, context, 400) : undefined;
}

/** What an answer says of the limit. error: the failure it was read as. */
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
