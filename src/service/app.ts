// The whole service as a request handler. It doesn't listen, so tests and the client can call it without a socket.
import { Hono } from 'hono';
import description from '../../media/openapi.json' with { type: 'json' };
import type { Logger } from '../base/logger.ts';
import type { Now } from '../base/time.ts';
import { healthOperation, limits } from '../protocol/operations.ts';
import type { HealthJson } from '../protocol/records.ts';
import type { Engine } from './engine/engine.ts';
import { createAuthentication, createRateLimit, createSessionGuard } from './http/guards.ts';
import { createHostGuard, type HostRule } from './http/hostGuard.ts';
import {
  basePath,
  route,
  type ServiceApp,
  type ServiceContext,
  type ServiceEnvironment,
  type ServiceMiddleware,
  unrouted,
} from './http/routes.ts';
import { HttpError } from './http/httpError.ts';
import { createId } from './ids.ts';
import { describeStorageProblem, type StorageLocation, storageProblemOf } from './store/storageError.ts';
import { registerDeploymentRoutes, registerWorkflowRoutes } from './routes/workflows.ts';
import { registerExecutionRoutes } from './routes/executions.ts';
import { registerPortalEventRoutes } from './routes/portalEvents.ts';
import { registerSettingsRoutes, type SettingsOptions } from './routes/settings.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Store } from './store/store.ts';

export interface AppOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  /** The number of requests that each key has in any 60 seconds. */
  readonly requestsPerMinute: number;
  readonly now: Now;
  /** A monotonic clock, for the rate limit. */
  readonly steadyNow: Now;
  readonly logger: Logger;
  /** Ends every stream when aborted. */
  readonly stopping: AbortSignal;
  /** What storage errors name. */
  readonly location: StorageLocation;
  /** Whether the engine works on accepted executions. */
  readonly isReady: () => boolean | Promise<boolean>;
  /** The hosts that the service answers to. */
  readonly hosts: HostRule;
  /** The port that the service listens on; null while it doesn't listen. */
  readonly port: () => number | null;
  /** The settings surface, which only a local service has: its windows share a token with it. */
  readonly settings?: SettingsOptions;
  /** Called for each request when it arrives. */
  readonly onRequest?: () => void;
  /** The time between two pings of a stream in milliseconds; default 15,000. */
  readonly heartbeatMs?: number;
  /** The longest time to receive a body in milliseconds; default 30,000. */
  readonly bodyTimeoutMs?: number;
}

/** Serves the API under /v1 and a local service's settings surface under /settings. */
export function createApp(options: AppOptions): ServiceApp {
  const { store, engine, sandbox, now } = options;
  const stream = { signal: options.stopping, heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs };
  const app = new Hono<ServiceEnvironment>();
  const refuse = createErrorHandler(options.logger, options.location);
  app.onError(refuse);
  app.notFound((context) => refuse(unrouted(context.req.path, options.settings !== undefined), context));
  app.use('*', (context, next) => {
    options.onRequest?.();
    context.set('bodyTimeoutMs', options.bodyTimeoutMs ?? limits.bodyTimeoutMs);
    return next();
  });
  app.use('*', identify);
  app.use('*', createHostGuard(options.hosts, options.port));
  app.use(`${basePath}/*`, createAuthentication(store.keys, now));
  app.use(`${basePath}/*`, createRateLimit(store.keys, options.requestsPerMinute, now, options.steadyNow));
  // The description is public: clients can read it without a key.
  app.get('/openapi.json', (context) => context.json(description));
  // The health check needs no key and discloses no data.
  route(app, '', healthOperation, async (context) => answerHealth(context, store, await options.isReady()));
  registerWorkflowRoutes(app, store.workflows);
  registerDeploymentRoutes(app, store, engine, sandbox);
  registerExecutionRoutes(app, store, stream);
  registerPortalEventRoutes(app, store, stream);
  if (options.settings) {
    app.use('/settings/*', createSessionGuard(options.settings.sessionToken));
    registerSettingsRoutes(app, store.keys, options.settings, options.port, stream);
  }
  return app;
}

function answerHealth(context: ServiceContext, store: Store, isReady: boolean): Response {
  const status = store.writeProblem() === undefined ? 'ok' : 'degraded';
  const health: HealthJson = { status, live: true, ready: isReady };
  return context.json(health, isReady ? 200 : 503);
}

/** Assigns the request id and sets the common response headers. */
const identify: ServiceMiddleware = async (context, next) => {
  const requestId = createId('req');
  context.set('requestId', requestId);
  await next();
  context.res.headers.set('X-Request-Id', requestId);
  if (context.res.headers.get('Content-Type') === 'application/json')
    context.res.headers.set('Content-Type', 'application/json; charset=utf-8');
  if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
};

/** Converts errors to the error envelope. Unexpected errors are logged but not disclosed. */
function createErrorHandler(logger: Logger, location: StorageLocation) {
  return (error: Error, context: ServiceContext): Response => {
    const requestId = context.get('requestId');
    const refusal = error instanceof HttpError ? error : toRefusal(error, location);
    if (refusal !== error && refusal.status !== 503) logger.error(`Request ${requestId} failed.`, error);
    for (const [name, value] of Object.entries(refusal.headers)) context.header(name, value);
    return context.json(refusal.toEnvelope(requestId), refusal.status);
  };
}

function toRefusal(error: Error, location: StorageLocation): HttpError {
  const problem = storageProblemOf(error);
  if (problem === undefined) return new HttpError(500, 'internal_error', 'The service failed to answer.');
  const words = describeStorageProblem(problem, location);
  if (problem === 'busy' || problem === 'unreachable')
    return new HttpError(503, 'unavailable', words, { headers: { 'Retry-After': '1' } });
  return problem === 'full'
    ? new HttpError(507, 'storage_full', words)
    : new HttpError(500, 'internal_error', words);
}
