// Why: every answer names its request, says what went wrong in one shape, and is kept by no cache (contract section 1).
import type { Logger } from '../../base/logger.ts';
import { createId } from '../ids.ts';
import { HttpError } from './httpError.ts';
import type { ServiceContext, ServiceMiddleware } from './environment.ts';

/** Gives each request its id and each answer the common headers. */
export const identify: ServiceMiddleware = async (context, next) => {
  const requestId = createId('req');
  context.set('requestId', requestId);
  await next();
  context.res.headers.set('X-Request-Id', requestId);
  if (context.res.headers.get('Content-Type') === 'application/json')
    context.res.headers.set('Content-Type', 'application/json; charset=utf-8');
  if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
};

/** Turns whatever was thrown into the error envelope; what nobody expected is logged and told to nobody. */
export function createErrorHandler(logger: Logger) {
  return (error: Error, context: ServiceContext): Response => {
    const requestId = context.get('requestId');
    const refusal = error instanceof HttpError ? error : toRefusal(error);
    if (refusal.status === 500) logger.error(`Request ${requestId} failed.`, error);
    for (const [name, value] of Object.entries(refusal.headers)) context.header(name, value);
    return context.json(refusal.toEnvelope(requestId), refusal.status);
  };
}

function toRefusal(error: Error): HttpError {
  if (isBusy(error))
    return new HttpError(503, 'unavailable', 'The data are locked by another process; try again.', {
      headers: { 'Retry-After': '1' },
    });
  return new HttpError(500, 'internal_error', 'The service failed to answer.');
}

function isBusy(error: Error): boolean {
  const sqliteBusy = 5;
  return 'errcode' in error && error.errcode === sqliteBusy;
}
