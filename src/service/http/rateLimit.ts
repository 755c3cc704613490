// Why: 60 requests in any 60 seconds for each key, told in every answer (contract section 6).
import { limits } from '../../protocol/operations.ts';
import type { Clock } from '../clock.ts';
import type { KeyStore } from '../store/keys.ts';
import { HttpError } from './httpError.ts';
import type { ServiceMiddleware } from './environment.ts';

interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Epoch milliseconds at which the oldest request leaves the window. */
  readonly resetAt: number;
}

export interface RateLimiter {
  readonly requestsPerMinute: number;
  /** Takes one request off the key's window, or refuses and takes none. */
  take(keyId: string): Allowance;
}

/** Counts in this process's memory. */
export function createRateLimiter(requestsPerMinute: number, clock: Clock): RateLimiter {
  const windows = new Map<string, number[]>();
  return {
    requestsPerMinute,
    take(keyId) {
      const now = clock();
      const taken = (windows.get(keyId) ?? []).filter((time) => time > now - limits.windowMs);
      const isAllowed = taken.length < requestsPerMinute;
      if (isAllowed) taken.push(now);
      windows.set(keyId, taken);
      return {
        isAllowed,
        remaining: requestsPerMinute - taken.length,
        resetAt: (taken[0] ?? now) + limits.windowMs,
      };
    },
  };
}

/** Counts the request and writes the limit's headers on the answer, refused or not. */
export function createRateLimit(limiter: RateLimiter, keys: KeyStore, clock: Clock): ServiceMiddleware {
  return async (context, next) => {
    const keyId = context.get('apiKey').id;
    const allowance = limiter.take(keyId);
    const seconds = Math.max(1, Math.ceil((allowance.resetAt - clock()) / 1000));
    const headers = limitHeaders(limiter.requestsPerMinute, allowance, seconds);
    if (!allowance.isAllowed)
      throw new HttpError(429, 'rate_limited', `Too many requests; try again in ${seconds} s.`, {
        details: { retryAfterSeconds: seconds },
        headers: { ...headers, 'Retry-After': String(seconds) },
      });
    await keys.recordUse(keyId);
    await next();
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  };
}

function limitHeaders(limit: number, allowance: Allowance, seconds: number): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(allowance.remaining),
    'X-RateLimit-Reset': String(Math.ceil(allowance.resetAt / 1000)),
    'RateLimit-Policy': `"default";q=${limit};w=${limits.windowMs / 1000}`,
    RateLimit: `"default";r=${allowance.remaining};t=${seconds}`,
  };
}
