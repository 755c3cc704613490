// Whether the service works, for who watches it; no key, and nothing of the data.
import { healthOperation } from '../../protocol/operations.ts';
import type { HealthJson } from '../../protocol/records.ts';
import { route, type ServiceApp } from '../http/routes.ts';
import type { Store } from '../store/store.ts';

/** `isReady`: what was accepted is worked on. */
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
