// Reads the rate limit and the time to wait, from headers or the body.
import { isJsonObject } from '../../base/json.ts';
import type { ServiceError } from '../../domain/errors.ts';
import type { RateLimit } from '../budget/slots.ts';
import { anyOf, type Names, pickNumber } from '../decode/fields.ts';
import type { ErrorResponse } from '../http/completeResponse.ts';

const fallbackMs = 60_000;
const minimumMs = 1000;
/** A wait of more than a year comes from a wrong clock. */
const maximumMs = 366 * 24 * 3_600_000;

type LimitHeaders = Pick<ErrorResponse, 'headers' | 'body'>;

function seconds(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) * 1000 : null;
}

function until(text: string | null, now: number): number | null {
  const time = text === null || text.trim() === '' ? NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time - now;
}

/** Numbers below 10⁶ are seconds from now, below 10¹¹ epoch seconds, else epoch milliseconds. */
function resetTime(text: string | null, now: number): number | null {
  const milliseconds = seconds(text);
  if (milliseconds === null) return until(text, now);
  if (milliseconds < 1e9) return milliseconds;
  return (milliseconds < 1e14 ? milliseconds : milliseconds / 1000) - now;
}

function fromBody({ body }: LimitHeaders): number | null {
  if (!isJsonObject(body)) return null;
  const inside = (name: string): Names => anyOf(name, `error.${name}`, `error.details.${name}`);
  const milliseconds = pickNumber(body, inside('retryAfterMs'));
  if (milliseconds !== null) return milliseconds;
  const names = ['retryAfterSeconds', 'retryAfter', 'secondsUntilReset'].flatMap(inside);
  const reported = pickNumber(body, names);
  return reported === null ? null : reported * 1000;
}

/** Where the wait may be given, in order. Each returns milliseconds from now. */
const places: readonly ((response: LimitHeaders, now: number) => number | null)[] = [
  ({ headers }, now) => seconds(headers.get('retry-after')) ?? until(headers.get('retry-after'), now),
  ({ headers }) => seconds(/(?:^|[;,\s])t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? null),
  ({ headers }) => seconds(headers.get('ratelimit-reset')),
  ({ headers }, now) => resetTime(headers.get('x-ratelimit-reset'), now),
  ({ headers }, now) => resetTime(headers.get('x-rate-limit-reset'), now),
  fromBody,
];

/** The service's own time, in epoch milliseconds: times that it names are by its clock. `now` where it doesn't say. */
function timeOf({ headers }: LimitHeaders, now: number): number {
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? now : time;
}

/** Returns the wait that the response requests, in milliseconds from now; null when there's no usable value. */
export function readRetryAfter(response: LimitHeaders, now: number): number | null {
  const time = timeOf(response, now);
  for (const look of places) {
    const reported = look(response, time);
    if (reported !== null) return reported >= 0 && reported <= maximumMs ? reported : null;
  }
  return null;
}

/** Milliseconds to wait after a refusal: at least 1 s, and a minute when the response has no usable value. now: epoch milliseconds. */
export function retryAfterOrDefault(response: LimitHeaders, now: number): number {
  const reported = readRetryAfter(response, now);
  return reported === null ? fallbackMs : Math.max(minimumMs, reported);
}

const remainingHeaders = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'];
const limitHeaders = ['x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-limit'];

function count(
  headers: LimitHeaders['headers'],
  names: readonly string[],
  inRateLimit: RegExp,
): number | null {
  for (const name of names) {
    const match = /^\s*(\d+)/.exec(headers.get(name) ?? '');
    if (match) return Number(match[1]);
  }
  const match = inRateLimit.exec(
    `${headers.get('ratelimit') ?? ''} ${headers.get('ratelimit-policy') ?? ''}`,
  );
  return match ? Number(match[1]) : null;
}

/** Requests left, or null when the response doesn't say. */
export function readRemaining(headers: LimitHeaders['headers']): number | null {
  return count(headers, remainingHeaders, /(?:^|[;,\s])r=(\d+)/);
}

/** Requests allowed per window, or null when the response doesn't say. */
export function readMaximumRequests(headers: LimitHeaders['headers']): number | null {
  return count(headers, limitHeaders, /(?:^|[;,\s])q=(\d+)/);
}

/** Reads the whole rate limit from a response. error: the failure that the response was classified as. */
export function readRateLimit(
  response: ErrorResponse,
  error: ServiceError | undefined,
  now: number,
): RateLimit {
  const isRefusal = error?.reason.kind === 'rateLimited';
  return {
    limit: readMaximumRequests(response.headers),
    remaining: readRemaining(response.headers),
    resetInMs: readRetryAfter(response, now),
    pauseMs: isRefusal ? retryAfterOrDefault(response, now) : null,
    isQuota: error?.reason.kind === 'rateLimited' && error.reason.isQuota,
  };
}
