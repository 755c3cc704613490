// The health check. It needs no key and discloses no data.
import { healthOperation } from '../../protocol/operations.ts';
import type { HealthJson } from '../../protocol/records.ts';
import { route, type ServiceApp } from '../http/routes.ts';
import type { Store } from '../store/store.ts';

/** `isReady` returns whether the engine works on accepted executions. */
export function registerHealthRoute(
  app: ServiceApp,
  store: Pick<Store, 'writeProblem'>,
  isReady: () => boolean,
): void {
  route(app, '', healthOperation, (context) => {
    const ready = isReady();
    const isDegraded = store.writeProblem() !== undefined;
    const health: HealthJson = { status: isDegraded ? 'degraded' : 'ok', live: true, ready };
    return context.json(health, ready ? 200 : 503);
  });
}
