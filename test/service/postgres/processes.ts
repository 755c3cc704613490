// Several processes of the service on one database, each with all of its own but the database.
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { limits } from '../../../src/protocol/operations.ts';
import { createApp } from '../../../src/service/app.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import type { ServiceApp } from '../../../src/service/http/routes.ts';
import { createWorkReading } from '../../../src/service/process/parts.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';

export interface ApiProcess {
  readonly app: ServiceApp;
  readonly store: PostgresStore;
  dispose(): Promise<void>;
}

/** Starts the API of one process; its engine works on nothing. */
export async function startApi(address: DatabaseAddress): Promise<ApiProcess> {
  const store = new PostgresStore({ address });
  const sandbox = createSandbox();
  const secrets = new Secrets({ store, logger: silentLogger });
  const engine = new Engine({
    store,
    secrets,
    sandbox,
    logger: silentLogger,
    concurrency: 0,
  });
  await engine.begin();
  const stopping = new AbortController();
  const app = createApp({
    store,
    secrets,
    engine,
    sandbox,
    now: systemClock.now,
    logger: silentLogger,
    hosts: { kind: 'loopback' },
    stopping: stopping.signal,
    port: () => null,
    requestLimit: store.limitRequests(limits.requestsPerMinute),
    location: { database: address.name },
    isReady: () => true,
    findProblem: () => store.problem(),
    readWork: createWorkReading({ store, secrets }, systemClock.now),
  });
  return {
    app,
    store,
    async dispose() {
      stopping.abort();
      await engine.stop();
      await sandbox.dispose();
      await store.close();
    },
  };
}
