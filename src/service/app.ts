// The whole service as a request handler. It doesn't listen, so tests and the client can call it without a socket.
import { Hono } from 'hono';
import description from '../../media/openapi.json' with { type: 'json' };
import type { Logger } from '../base/logger.ts';
import type { Now } from '../base/time.ts';
import { limits } from '../protocol/operations.ts';
import type { Engine } from './engine/engine.ts';
import { createErrorHandler, identify, limitBodies } from './http/identify.ts';
import { createRateLimit, type RateLimiter } from './http/rateLimit.ts';
import { basePath, type ServiceApp, type ServiceEnvironment, unrouted } from './http/routes.ts';
import { registerDeploymentRoutes } from './routes/deployments.ts';
import { registerHealthRoute } from './routes/health.ts';
import { registerExecutionRoutes } from './routes/executions.ts';
import { registerPortalEventRoutes } from './routes/portalEvents.ts';
import { registerSettingsRoutes, type SettingsDeps } from './routes/settings.ts';
import { registerWorkflowRoutes } from './routes/workflows.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Store } from './store/store.ts';
import { createAuthentication, createLoopbackGuard, createSessionGuard } from './http/guards.ts';

export interface AppOptions extends SettingsDeps {
  readonly store: Store;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  readonly limiter: RateLimiter;
  readonly now: Now;
  readonly logger: Logger;
  /** Ends every stream when aborted. */
  readonly stopping: AbortSignal;
  /** The file that storage errors name. */
  readonly dataPath: string;
  /** Whether the engine works on accepted executions. */
  readonly isReady: () => boolean;
  /** Called for each request when it arrives. */
  readonly onRequest?: () => void;
  /** The time between two pings of a stream in milliseconds; default 15,000. */
  readonly heartbeatMs?: number;
  /** The longest time to receive a body in milliseconds; default 30,000. */
  readonly bodyTimeoutMs?: number;
}

/** Serves the API under /v1 and the settings surface under /settings. */
export function createApp(options: AppOptions): ServiceApp {
  const { store, engine, sandbox, now } = options;
  const stream = { signal: options.stopping, heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs };
  const app = new Hono<ServiceEnvironment>();
  const refuse = createErrorHandler(options.logger, options.dataPath);
  app.onError(refuse);
  app.notFound((context) => refuse(unrouted(context.req.path), context));
  app.use('*', (_context, next) => {
    options.onRequest?.();
    return next();
  });
  app.use('*', identify);
  app.use('*', limitBodies(options.bodyTimeoutMs ?? limits.bodyTimeoutMs));
  app.use('*', createLoopbackGuard(options.port));
  app.use(`${basePath}/*`, createAuthentication(store.keys, now));
  app.use(`${basePath}/*`, createRateLimit(options.limiter, store.keys, now));
  app.use('/settings/*', createSessionGuard(options.sessionToken));
  // The description is public: clients can read it without a key.
  app.get('/openapi.json', (context) => context.json(description));
  registerHealthRoute(app, store, options.isReady);
  registerWorkflowRoutes(app, store.workflows);
  registerDeploymentRoutes(app, store, engine, sandbox);
  registerExecutionRoutes(app, store, stream);
  registerPortalEventRoutes(app, store, stream);
  registerSettingsRoutes(app, store.keys, options, stream);
  return app;
}
