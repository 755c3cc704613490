// No answer under /v1 without a usable key (service-api.md section 5, contract section 4).
import type { Now } from '../../base/time.ts';
import type { ApiKeyJson } from '../../protocol/records.ts';
import type { KeyStore } from '../store/keys.ts';
import { HttpError } from './httpError.ts';
import type { ServiceMiddleware } from './environment.ts';

/** Hands the key's record on, or answers 401 with the reason. */
export function createAuthentication(keys: KeyStore, now: Now): ServiceMiddleware {
  return async (context, next) => {
    const key = /^Bearer +(\S+) *$/i.exec(context.req.header('Authorization') ?? '')?.[1];
    if (key === undefined)
      throw unauthorized('missing_api_key', 'The Authorization header with a Bearer API key is missing.');
    const record = await keys.find(key);
    if (!record) throw unauthorized('invalid_api_key', 'The API key is unknown.');
    refuseUnusable(record, now());
    context.set('apiKey', record);
    await next();
  };
}

function refuseUnusable(key: ApiKeyJson, now: number): void {
  if (key.revokedAt !== null) throw unauthorized('api_key_revoked', 'The API key was revoked.');
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now)
    throw unauthorized('api_key_expired', 'The API key has expired.');
}

function unauthorized(code: string, message: string): HttpError {
  return new HttpError(401, code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}
