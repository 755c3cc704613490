import type { Context, Handler, Hono, MiddlewareHandler } from 'hono';
import {
  aliases,
  healthOperation,
  type HttpMethod,
  type Operation,
  operations,
  settingsOperations,
} from '../../protocol/operations.ts';
import type { ApiKeyJson } from '../../protocol/records.ts';
import { HttpError } from './httpError.ts';

export interface ServiceEnvironment {
  Variables: {
    requestId: string;
    /** The longest time to receive a body, in milliseconds. */
    bodyTimeoutMs: number;
    /** Set only after authentication. */
    apiKey: ApiKeyJson;
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

/** Returns the error for an unrouted request: 405 with `Allow` for a known path, else 404 `route_not_found`. */
export function unrouted(path: string, hasSettings: boolean): HttpError {
  const allowed = allowedMethods(path, hasSettings);
  if (allowed.length === 0) return new HttpError(404, 'route_not_found', 'The service has no such endpoint.');
  return new HttpError(405, 'method_not_allowed', `This endpoint answers ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

function allowedMethods(path: string, hasSettings: boolean): HttpMethod[] {
  const settings = hasSettings ? Object.values(settingsOperations) : [];
  const known: readonly (readonly [string, Operation])[] = [
    ...[...Object.values(operations), ...Object.values(aliases)].map((one) => [basePath, one] as const),
    ...[healthOperation, ...settings].map((one) => ['', one] as const),
  ];
  const matching = known.filter(([prefix, one]) => toPattern(prefix + one.path).test(path));
  return [...new Set(matching.map(([, one]) => one.method))];
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
