// 60 requests in any 60 seconds for each key, told in every answer (contract section 6).
import type { Now } from '../../base/time.ts';
import { limits } from '../../protocol/operations.ts';
import { HttpError } from './httpError.ts';
import type { KeyStore } from '../store/store.ts';
import type { ServiceMiddleware } from './routes.ts';

interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the oldest request leaves the window. */
  readonly resetInMs: number;
}

export interface RateLimiter {
  readonly requestsPerMinute: number;
  /** Takes one request off the key's window, or refuses and takes none. */
  take(keyId: string): Allowance;
}

/** Counts in this process's memory, by a clock that cannot be set back: a key would be locked out for as long. */
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

/** Counts the request and writes the limit's headers on the answer, refused or not. */
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
