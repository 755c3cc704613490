// The settings surface obeys only who can read the data folder (contract section 3, settings).
import { createHash, timingSafeEqual } from 'node:crypto';
import { sessionHeader, settingsOperations } from '../../protocol/operations.ts';
import { HttpError } from './httpError.ts';
import type { ServiceMiddleware } from './environment.ts';

/** Refuses requests without the token of this start, compared in constant time; all but the one that proves who answers. */
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
