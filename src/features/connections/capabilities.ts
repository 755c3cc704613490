// Removes the menu entries that need a connection when there's none, and those of operations that the active service doesn't offer.
import { combine, type Disposable, DisposableStore } from '../../base/disposable.ts';
import { capabilityContextKeys, lackContextKeys, operationContextKeys } from '../../editor/ids.ts';
import type { Capability, OperationName } from '../../protocol/operations.ts';
import type { App } from '../../ui/app.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

type CapabilitiesDeps = Pick<App, 'connections' | 'services' | 'contextKeys'>;

/** The commands stay in the Command Palette: running one sends the request again, and the menu entry comes back if it succeeds. */
export function registerCapabilities({ connections, services, contextKeys }: CapabilitiesDeps): Disposable {
  const owned = new DisposableStore();
  let subscription: Disposable | undefined;
  const show = (names: ReadonlySet<OperationName>): void => {
    for (const name of operationContextKeys) contextKeys(`cannot.${name}`, names.has(name));
  };
  const showCapabilities = (offered: ReadonlySet<Capability>, isConnected = true): void => {
    for (const name of capabilityContextKeys) contextKeys(`can.${name}`, offered.has(name));
    for (const name of lackContextKeys) contextKeys(`lacks.${name}`, isConnected && !offered.has(name));
  };
  const watch = (): void => {
    subscription?.dispose();
    subscription = undefined;
    const connection = connections.active.current;
    contextKeys('takesMcpToken', connection !== null && serviceTraits[connection.kind].takesMcpToken);
    if (!connection) {
      show(new Set());
      showCapabilities(new Set(), false);
      return;
    }
    const notOffered = services.notOffered(connection.id);
    const capabilities = services.capabilities(connection.id);
    subscription = combine(notOffered.onDidChange(show), capabilities.onDidChange(showCapabilities));
    show(notOffered.current);
    showCapabilities(capabilities.current);
  };
  owned.add(connections.active.onDidChange(watch));
  // A connection with another base URL gets another client.
  owned.add(connections.all.onDidChange(watch));
  const showConnections = (): void => {
    const { current } = connections.all;
    contextKeys('hasConnection', current.length > 0);
    contextKeys(
      'hasRemoteConnection',
      current.some(({ kind }) => kind !== 'local'),
    );
  };
  owned.add(connections.all.onDidChange(showConnections));
  owned.add({ dispose: () => subscription?.dispose() });
  watch();
  showConnections();
  return owned;
}
