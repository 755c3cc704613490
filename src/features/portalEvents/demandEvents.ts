import type { App } from '../../ui/app.ts';

/** Throws a ServiceError "notOffered" if services of the active connection's kind have no portal events. */
export function demandEvents({ connections, services }: Pick<App, 'connections' | 'services'>): void {
  const { current } = connections.active;
  if (current !== null) services.demand(current.id, 'portalEvents');
}
