// Reports the outcome of each request, to a log or to metrics.
import { matchedRoutes } from 'hono/route';
import { steadyNow } from '../../base/time.ts';
import { isStream } from './eventStream.ts';
import { HttpError } from './httpError.ts';
import type { ServiceContext, ServiceMiddleware } from './routes.ts';

export interface CompletedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The pattern of the path, such as /v1/workflows/:workflowId; undefined when there's no such endpoint. */
  readonly route: string | undefined;
  readonly status: number;
  /** From its arrival to the beginning of the response, or to the end of a stream. */
  readonly durationMs: number;
  /** The id of the key; undefined while it isn't known. */
  readonly keyId: string | undefined;
  readonly isStream: boolean;
  /** Of the refusal; undefined for others. */
  readonly code: string | undefined;
}

export interface RequestListener {
  /** A stream has only started at this time. */
  onResponse(request: CompletedRequest): void;
  onStreamEnd(request: CompletedRequest): void;
}

/** Reports each request to the listeners. */
export function createRequestWatch(listeners: readonly RequestListener[]): ServiceMiddleware {
  return async (context, next) => {
    const beganAt = steadyNow();
    const describe = (): CompletedRequest => describeRequest(context, steadyNow() - beganAt);
    context.set('onStreamEnd', () => {
      const request = describe();
      for (const listener of listeners) listener.onStreamEnd(request);
    });
    await next();
    const request = describe();
    for (const listener of listeners) listener.onResponse(request);
  };
}

function describeRequest(context: ServiceContext, durationMs: number): CompletedRequest {
  return {
    requestId: context.get('requestId'),
    method: context.req.method,
    path: context.req.path,
    // Guards are registered for all methods.
    route: matchedRoutes(context).find(({ method }) => method !== 'ALL')?.path,
    status: context.res.status,
    durationMs,
    keyId: context.get('keyId'),
    isStream: isStream(context),
    code: context.error instanceof HttpError ? context.error.code : undefined,
  };
}
