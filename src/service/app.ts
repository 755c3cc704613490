// The whole service as a request handler. It doesn't listen, so tests and the client can call it without a socket.
import description from '../../media/openapi.json' with { type: 'json' };
import type { Now } from '../base/time.ts';
import { capabilities, capabilitiesHeader, limits } from '../protocol/operations.ts';
import type { Engine } from './engine/engine.ts';
import { type BaseOptions, createBaseApp } from './http/baseApp.ts';
import {
  createResponseLimit,
  createAuthentication,
  createRateLimit,
  createSessionGuard,
} from './http/guards.ts';
import { KeyWatch } from './http/keyWatch.ts';
import { createResponseSlots, createStreamSlots, type OpenSlots } from './http/openSlots.ts';
import { apiOperations, basePath, type ServiceApp, settingsRoutes } from './http/routes.ts';
import type { RequestLimit } from './store/requestLimit.ts';
import { registerDeploymentRoutes, registerWorkflowRoutes } from './routes/workflows.ts';
import { registerExecutingRoutes } from './routes/executing.ts';
import { registerExecutionRoutes } from './routes/executions.ts';
import { registerPortalEventRoutes } from './routes/portalEvents.ts';
import { registerSettingsRoutes, type SettingsOptions } from './routes/settings.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { Store } from './store/store.ts';

export interface AppOptions extends BaseOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
  readonly secrets: Secrets;
  readonly requestLimit: RequestLimit;
  readonly now: Now;
  /** Ends every stream when aborted. */
  readonly stopping: AbortSignal;
  /** The settings surface, which only a local service has: its windows share a token with it. */
  readonly settings?: SettingsOptions;
  /** The time between two pings of a stream in milliseconds; default 15,000. */
  readonly heartbeatMs?: number;
  /** The longest time to receive a body in milliseconds; default 30,000. */
  readonly bodyTimeoutMs?: number;
  /** Slots for the responses of each key that clients haven't read yet; only responses to sockets take one. */
  readonly responseSlots?: OpenSlots;
}

/** Serves the API under /v1 and a local service's settings surface under /settings. */
export function createApp(options: AppOptions): ServiceApp {
  const { store, engine, sandbox, secrets, now, bodyTimeoutMs = limits.bodyTimeoutMs } = options;
  const stream = {
    signal: options.stopping,
    heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs,
    slots: createStreamSlots(),
  };
  const app = createBaseApp(options, [...apiOperations, ...(options.settings ? settingsRoutes : [])]);
  app.use('*', (context, next) => {
    context.set('bodyTimeoutMs', bodyTimeoutMs);
    return next();
  });
  app.use(`${basePath}/*`, (context, next) => {
    context.header(capabilitiesHeader, capabilities.join(', '));
    return next();
  });
  app.use(`${basePath}/*`, createAuthentication(store.keys, now));
  app.use(`${basePath}/*`, createRateLimit(store.keys, options.requestLimit, now));
  app.use(`${basePath}/*`, createResponseLimit(options.responseSlots ?? createResponseSlots()));
  // The description is public: clients can read it without a key.
  app.get('/openapi.json', (context) => context.json(description));
  registerWorkflowRoutes(app, store.workflows);
  const executing = { store, engine, sandbox, secrets };
  registerDeploymentRoutes(app, executing);
  registerExecutingRoutes(app, executing);
  const keyWatch = new KeyWatch(store, now);
  registerExecutionRoutes(app, store, keyWatch, stream);
  registerPortalEventRoutes(app, { store, secrets, keyWatch, stream });
  if (options.settings) {
    app.use('/settings/*', createSessionGuard(options.settings.sessionToken));
    registerSettingsRoutes(app, store.keys, secrets, options.settings, options.port, stream);
  }
  return app;
}
