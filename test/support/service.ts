// A whole service in memory for tests: the real app, store and engine, with no socket and no file.
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { type Now, systemClock } from '../../src/base/time.ts';
import type { CreatedApiKeyJson } from '../../src/protocol/records.ts';
import { limits } from '../../src/protocol/operations.ts';
import { createApp } from '../../src/service/app.ts';
import { Engine } from '../../src/service/engine/engine.ts';
import type { EngineWatch } from '../../src/service/engine/engineWatch.ts';
import type { ExecutionLimits } from '../../src/service/engine/limits.ts';
import type { OpenSlots } from '../../src/service/http/openSlots.ts';
import { Leases } from '../../src/service/process/leases.ts';
import { createWorkReading } from '../../src/service/process/parts.ts';
import { type KeySource, Secrets } from '../../src/service/secrets/secrets.ts';
import type { SandboxOptions } from '../../src/service/sandbox/sandbox.ts';
import { createSandbox } from './sandbox.ts';
import type { PortalEventLimits } from '../../src/service/store/portalEvents.ts';
import { MemoryRequestLimit } from '../../src/service/store/requestLimit.ts';
import type { Store } from '../../src/service/store/store.ts';
import type { ServiceApp } from '../../src/service/http/routes.ts';
import { openTestStorage } from './storage.ts';

export interface TestService {
  /** `app.request('/v1/…')` and `app.fetch(request)` answer with no socket. */
  readonly app: ServiceApp;
  /** The value of a key that never expires. */
  readonly key: string;
  readonly apiKey: CreatedApiKeyJson;
  readonly sessionToken: string;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly engine: Engine;
  /** Ends all streams, as a stopping service does. */
  readonly endStreams: () => void;
  dispose(): Promise<void>;
}

export interface TestServiceOptions {
  readonly now?: Now;
  readonly requestsPerMinute?: number;
  /** A file that outlives this service; default: memory. */
  readonly path?: string;
  readonly eventLimits?: Partial<PortalEventLimits>;
  readonly heartbeatMs?: number;
  readonly bodyTimeoutMs?: number;
  readonly answerPlaces?: OpenSlots;
  readonly isReady?: boolean;
  readonly refusesPrivateAddresses?: boolean;
  /** Of the rate limit; default: `now`. */
  readonly steadyNow?: Now;
  /** How many pages the file may grow to. */
  readonly maximumPages?: number;
  readonly leaseGraceMs?: number;
  /** Called when the service would end: after the last lease, or after a stop. */
  readonly onEnd?: () => void;
  readonly logger?: Logger;
  readonly sandbox?: SandboxOptions;
  /** See the engine. */
  readonly longestWaitMs?: number;
  readonly level?: number;
  /** See the engine. */
  readonly roundMs?: number;
  /** What one execution may take. */
  readonly limits?: ExecutionLimits;
  readonly watch?: EngineWatch;
  /** Default: none. */
  readonly secretsKeys?: KeySource;
}

export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const now = options.now ?? systemClock.now;
  const logger = options.logger ?? silentLogger;
  const { path, eventLimits, maximumPages } = options;
  const { store, location, leave } = await openTestStorage({
    path,
    now,
    logger,
    eventLimits,
    maximumPages,
  });
  const sandbox = createSandbox(options.sandbox);
  const secrets = new Secrets({ store, keys: options.secretsKeys, logger });
  const engine = new Engine({
    store,
    sandbox,
    secrets,
    logger,
    now,
    limits: options.limits,
    watch: options.watch,
    refusesPrivateAddresses: options.refusesPrivateAddresses ?? false,
    ...(options.longestWaitMs !== undefined && { longestWaitMs: options.longestWaitMs }),
    ...(options.level !== undefined && { level: options.level }),
    ...(options.roundMs !== undefined && { roundMs: options.roundMs }),
  });
  await engine.begin();
  const stopping = new AbortController();
  const onEnd = options.onEnd ?? ((): void => undefined);
  const leases = new Leases(onEnd, options.leaseGraceMs ?? 0);
  const sessionToken = 'session-token-of-the-test';
  const app = createApp({
    store,
    engine,
    sandbox,
    secrets,
    now,
    logger,
    hosts: { kind: 'loopback' },
    settings: { takeLease: () => leases.take(), stop: onEnd, sessionToken },
    stopping: stopping.signal,
    port: () => null,
    requestLimit: new MemoryRequestLimit(
      options.requestsPerMinute ?? limits.requestsPerMinute,
      options.steadyNow ?? now,
    ),
    location,
    isReady: () => options.isReady ?? true,
    findProblem: () => store.problem(),
    readWork: createWorkReading({ store, secrets }, now),
    heartbeatMs: options.heartbeatMs ?? limits.heartbeatMs,
    bodyTimeoutMs: options.bodyTimeoutMs ?? limits.bodyTimeoutMs,
    ...(options.answerPlaces && { responseSlots: options.answerPlaces }),
  });
  const apiKey = await store.keys.create('test', 'never');
  return {
    app,
    key: apiKey.key,
    apiKey,
    sessionToken,
    store,
    secrets,
    engine,
    endStreams: () => stopping.abort(),
    async dispose() {
      stopping.abort();
      leases.dispose();
      await engine.stop();
      await sandbox.dispose();
      await store.close();
      leave?.();
    },
  };
}
