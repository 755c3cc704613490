// The rate limit for each key: a number of requests in any 60 seconds, by default 60, reported in each response (contract section 6).
import type { Now } from '../../base/time.ts';
import { limits } from '../../protocol/operations.ts';
import { HttpError } from './httpError.ts';
import type { KeyStore } from '../store/store.ts';
import type { ServiceMiddleware } from './routes.ts';

interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** The time until the oldest request leaves the window, in milliseconds. */
  readonly resetInMs: number;
}

export interface RateLimiter {
  readonly requestsPerMinute: number;
  /** Counts one request of the key; a refused request isn't counted. */
  take(keyId: string): Allowance;
}

/** Counts in memory. Uses a monotonic clock, as setting back the system's clock would lock keys out for that time. */
export function createRateLimiter(requestsPerMinute: number, steadyNow: Now): RateLimiter {
  const windows = new Map<string, number[]>();
  return {
    requestsPerMinute,
    take(keyId) {
      const now = steadyNow();
      const taken = (windows.get(keyId) ?? []).filter((time) => time > now - limits.windowMs);
      const isAllowed = taken.length < requestsPerMinute;
      if (isAllowed) taken.push(now);
      windows.set(keyId, taken);
      return {
        isAllowed,
        remaining: requestsPerMinute - taken.length,
        resetInMs: (taken[0] ?? now) + limits.windowMs - now,
      };
    },
  };
}

/** Applies the rate limit and adds its headers to each response, also to refusals. */
export function createRateLimit(limiter: RateLimiter, keys: KeyStore, now: Now): ServiceMiddleware {
  return async (context, next) => {
    const keyId = context.get('apiKey').id;
    const allowance = limiter.take(keyId);
    const seconds = Math.max(1, Math.ceil(allowance.resetInMs / 1000));
    const headers = {
      ...limitHeaders(limiter.requestsPerMinute, allowance, seconds),
      'X-RateLimit-Reset': String(Math.ceil((now() + allowance.resetInMs) / 1000)),
    };
    if (!allowance.isAllowed)
      throw new HttpError(429, 'rate_limited', `Too many requests; try again in ${seconds} s.`, {
        details: { retryAfterSeconds: seconds },
        headers: { ...headers, 'Retry-After': String(seconds) },
      });
    keys.recordUse(keyId);
    await next();
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  };
}

function limitHeaders(limit: number, allowance: Allowance, seconds: number): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(allowance.remaining),
    'RateLimit-Policy': `"default";q=${limit};w=${limits.windowMs / 1000}`,
    RateLimit: `"default";r=${allowance.remaining};t=${seconds}`,
  };
}
