// What a request must pass before its route, beside the host guard: a key or the session token, and the rate limit.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Now } from '../../base/time.ts';
import { limits, sessionHeader, settingsOperations } from '../../protocol/operations.ts';
import type { ApiKeyJson } from '../../protocol/records.ts';
import type { Allowance, RequestLimit } from '../store/requestLimit.ts';
import type { KeyStore } from '../store/keys.ts';
import { isStream } from './eventStream.ts';
import { HttpError } from './httpError.ts';
import { endOf } from './keyWatch.ts';
import type { OpenSlots } from './openSlots.ts';
import type { ServiceEnvironment, ServiceMiddleware } from './routes.ts';

/** Sets the context's `apiKey`, or rejects with 401 and the reason. */
export function createAuthentication(keys: KeyStore, now: Now): ServiceMiddleware {
  return async (context, next) => {
    const key = /^Bearer +(\S+) *$/i.exec(context.req.header('Authorization') ?? '')?.[1];
    if (key === undefined)
      throw unauthorized('missing_api_key', 'The Authorization header with a Bearer API key is missing.');
    const record = await keys.find(key);
    if (!record) throw unauthorized('invalid_api_key', 'The API key is unknown.');
    context.set('keyId', record.id);
    refuseUnusable(record, now());
    context.set('apiKey', record);
    await next();
  };
}

function refuseUnusable(key: ApiKeyJson, now: number): void {
  const end = endOf(key, now);
  if (end === 'revoked') throw unauthorized('api_key_revoked', 'The API key was revoked.');
  if (end === 'expired') throw unauthorized('api_key_expired', 'The API key has expired.');
}

function unauthorized(code: string, message: string): HttpError {
  return new HttpError(401, code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Rejects requests without this start's token, compared in constant time; the endpoint that proves the service's identity needs none. */
export function createSessionGuard(sessionToken: string): ServiceMiddleware {
  const expected = digest(sessionToken);
  return async (context, next) => {
    if (context.req.path === settingsOperations.identity.path) {
      await next();
      return;
    }
    const given = digest(context.req.header(sessionHeader) ?? '');
    if (!timingSafeEqual(given, expected))
      throw new HttpError(403, 'forbidden', 'The session token is missing or wrong.');
    await next();
  };
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** Applies the rate limit (contract section 6) and adds its headers to each response, also to refusals. */
export function createRateLimit(keys: KeyStore, requestLimit: RequestLimit, now: Now): ServiceMiddleware {
  return async (context, next) => {
    const keyId = context.get('apiKey').id;
    const allowance = await requestLimit.take(keyId);
    const seconds = Math.max(1, Math.ceil(allowance.resetInMs / 1000));
    const headers = {
      ...limitHeaders(requestLimit.requestsPerMinute, allowance, seconds),
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

/**
 * Limits the responses of a key that are under way: one that nobody reads holds its memory. A read whose response finds no slot is refused
 * too, so that many at once hold no more. Streams have slots of their own.
 */
export function createResponseLimit(slots: OpenSlots): ServiceMiddleware {
  return async (context, next) => {
    const outgoing = outgoingOf(context.env);
    const keyId = context.get('apiKey').id;
    slots.check(keyId);
    await next();
    if (!outgoing || outgoing.destroyed || isStream(context)) return;
    if (context.req.method === 'GET') slots.check(keyId);
    const slot = slots.take(keyId);
    outgoing.once('close', () => slot.dispose());
  };
}

/** Undefined if the app is called without a socket. */
function outgoingOf(env: ServiceEnvironment['Bindings'] | undefined): ServerResponse | undefined {
  return env?.outgoing;
}
