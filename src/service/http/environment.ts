// What the middleware hands to the handlers, typed once.
import type { Context, Handler, Hono, MiddlewareHandler } from 'hono';
import type { ApiKeyJson } from '../../protocol/records.ts';

export interface ServiceEnvironment {
  Variables: {
    requestId: string;
    /** How long a body may take to come, in milliseconds. */
    bodyTimeoutMs: number;
    /** Set behind authentication only. */
    apiKey: ApiKeyJson;
  };
}

export type ServiceApp = Hono<ServiceEnvironment>;
export type ServiceContext = Context<ServiceEnvironment>;
export type ServiceHandler = Handler<ServiceEnvironment>;
export type ServiceMiddleware = MiddlewareHandler<ServiceEnvironment>;
