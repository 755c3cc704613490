// The headers and the error envelope that all responses share (contract section 1).
import type { Logger } from '../../base/logger.ts';
import { createId } from '../ids.ts';
import { describeStorageProblem, storageProblemOf } from '../store/storageError.ts';
import { HttpError } from './httpError.ts';
import type { ServiceContext, ServiceMiddleware } from './routes.ts';

/** Sets the timeout for request bodies, in milliseconds. */
export function limitBodies(bodyTimeoutMs: number): ServiceMiddleware {
  return async (context, next) => {
    context.set('bodyTimeoutMs', bodyTimeoutMs);
    await next();
  };
}

/** Assigns the request id and sets the common response headers. */
export const identify: ServiceMiddleware = async (context, next) => {
  const requestId = createId('req');
  context.set('requestId', requestId);
  await next();
  context.res.headers.set('X-Request-Id', requestId);
  if (context.res.headers.get('Content-Type') === 'application/json')
    context.res.headers.set('Content-Type', 'application/json; charset=utf-8');
  if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
};

/** Converts errors to the error envelope. Unexpected errors are logged but not disclosed. `dataPath` is the file that storage errors name. */
export function createErrorHandler(logger: Logger, dataPath: string) {
  return (error: Error, context: ServiceContext): Response => {
    const requestId = context.get('requestId');
    const refusal = error instanceof HttpError ? error : toRefusal(error, dataPath);
    if (refusal !== error && refusal.status !== 503) logger.error(`Request ${requestId} failed.`, error);
    for (const [name, value] of Object.entries(refusal.headers)) context.header(name, value);
    return context.json(refusal.toEnvelope(requestId), refusal.status);
  };
}

function toRefusal(error: Error, dataPath: string): HttpError {
  const problem = storageProblemOf(error);
  if (problem === undefined) return new HttpError(500, 'internal_error', 'The service failed to answer.');
  const words = describeStorageProblem(problem, dataPath);
  if (problem === 'busy')
    return new HttpError(503, 'unavailable', words, { headers: { 'Retry-After': '1' } });
  return problem === 'full'
    ? new HttpError(507, 'storage_full', words)
    : new HttpError(500, 'internal_error', words);
}
