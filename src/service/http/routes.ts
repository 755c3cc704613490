import type { ServerResponse } from 'node:http';
import type { Context, Handler, Hono, MiddlewareHandler } from 'hono';
import { aliases, type Operation, operations, settingsOperations } from '../../protocol/operations.ts';
import type { ApiKeyJson } from '../../protocol/records.ts';
import { HttpError } from './httpError.ts';

export interface ServiceEnvironment {
  /** Of a request over a socket. */
  Bindings: { readonly outgoing?: ServerResponse };
  Variables: {
    requestId: string;
    /** The longest time to receive a body, in milliseconds. */
    bodyTimeoutMs: number;
    /** Set only after authentication. */
    apiKey: ApiKeyJson;
    /** Set as soon as the key is found, though it may be refused. */
    keyId?: string;
    /** Called when the response's stream ends; set only while requests are watched. */
    onStreamEnd?: () => void;
  };
}

export type ServiceApp = Hono<ServiceEnvironment>;
export type ServiceContext = Context<ServiceEnvironment>;
export type ServiceHandler = Handler<ServiceEnvironment>;
export type ServiceMiddleware = MiddlewareHandler<ServiceEnvironment>;

/** The path of the API. */
export const basePath = '/v1';

/** Registers the handler of an operation under the given prefix. */
export function route(app: ServiceApp, prefix: string, operation: Operation, handler: ServiceHandler): void {
  app.on(operation.method, prefix + operation.path.replace(/\{(\w+)\}/g, ':$1'), handler);
}

/** An operation with the prefix of its path. */
export type KnownOperation = readonly [prefix: string, operation: Operation];

export const apiOperations = [...Object.values(operations), ...Object.values(aliases)].map(
  (operation): KnownOperation => [basePath, operation],
);
export const settingsRoutes = Object.values(settingsOperations).map((operation): KnownOperation => [
  '',
  operation,
]);

/** Returns the error for an unrouted request: 405 with `Allow` for a known path, else 404 `route_not_found`. */
export function unrouted(path: string, known: readonly KnownOperation[]): HttpError {
  const matching = known.filter(([prefix, { path: own }]) => toPattern(prefix + own).test(path));
  const allowed = [...new Set(matching.map(([, { method }]) => method))].join(', ');
  if (allowed === '') return new HttpError(404, 'route_not_found', 'The service has no such endpoint.');
  return new HttpError(405, 'method_not_allowed', `This endpoint accepts ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
