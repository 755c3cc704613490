// The embedded service as this window sees it: started or joined once, its connection and key always usable.
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { type Observable, ObservableValue } from '../base/observable.ts';
import { isConnectionError } from '../domain/connectionError.ts';
import type { Connection } from '../domain/connection.ts';
import type { Connections } from './connections/connections.ts';
import type { LocalAccess } from './localAccess.ts';
import type { SettingsClient } from '../api/settingsClient.ts';

/** A running service that this window holds a lease on; disposing gives the lease back. */
interface RunningService extends Disposable {
  readonly baseUrl: string;
  readonly origin: string;
  readonly sessionToken: string;
  /** The process is gone, or the lease is. */
  readonly onDidEnd: Event<void>;
  /** Ends the service for every window. */
  stop(): Promise<void>;
}

export interface LocalServiceDeps {
  readonly connections: Connections;
  /** Starts the service or joins the one of another window. */
  readonly launch: (signal: AbortSignal) => Promise<RunningService>;
  /** Told where keys may go. */
  readonly access: Pick<LocalAccess, 'set'>;
  readonly createSettings: (running: RunningService) => SettingsClient;
  /** What the connection and its key are called. */
  readonly names: { readonly connection: string; readonly key: string };
}

export type LocalServiceState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly baseUrl: string; readonly settings: SettingsClient };

export interface LocalService extends Disposable {
  readonly state: Observable<LocalServiceState>;
  /** Starts or joins it and gives back a connection whose key works. One start at a time, however often asked. */
  start(signal: AbortSignal): Promise<Connection>;
  /** Ends it for every window; its data stay. */
  stop(): Promise<void>;
}

/** The local connection with a key that the service accepts; makes what is missing. */
async function prepareConnection(
  { connections, names }: LocalServiceDeps,
  settings: SettingsClient,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Connection> {
  const known = connections.all.current.find((connection) => connection.kind === 'local');
  const createKey = async (): Promise<string> =>
    (await settings.createKey(names.key, 'never', { signal })).key;
  if (known === undefined) {
    const apiKey = await createKey();
    return connections.add(
      { name: names.connection, kind: 'local', baseUrl, apiKey, expiration: 'never' },
      { verify: 'never' },
    );
  }
  const moved = await connections.relocate(known.id, baseUrl);
  const key = await connections.readKey(moved);
  const isUsable = key !== undefined && (await accepts(connections, moved, key, signal));
  return isUsable
    ? moved
    : connections.replaceKey(moved.id, await createKey(), { verify: 'never', expiration: 'never' });
}

async function accepts(
  connections: Connections,
  connection: Connection,
  key: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await connections.verifyKey(connection, key, signal);
    return true;
  } catch (error) {
    if (isConnectionError(error, 'keyRejected')) return false;
    if (isConnectionError(error, 'unverified')) return true;
    throw error;
  }
}

export function createLocalService(ports: LocalServiceDeps): LocalService {
  const state = new ObservableValue<LocalServiceState>({ kind: 'stopped' });
  let running: RunningService | undefined;
  let starting: Promise<Connection> | undefined;

  function leave(): void {
    ports.access.set('none');
    running?.dispose();
    running = undefined;
    state.set({ kind: 'stopped' });
  }

  async function launch(signal: AbortSignal): Promise<RunningService> {
    const launched = await ports.launch(signal);
    running = launched;
    ports.access.set(launched);
    launched.onDidEnd(() => {
      if (running === launched) leave();
    });
    return launched;
  }

  async function begin(signal: AbortSignal): Promise<Connection> {
    if (running === undefined) {
      ports.access.set('awaited');
      state.set({ kind: 'starting' });
    }
    try {
      const service = running ?? (await launch(signal));
      const settings = ports.createSettings(service);
      const connection = await prepareConnection(ports, settings, service.baseUrl, signal);
      // It ended meanwhile: whoever listens there by now is another.
      if (running !== service) throw new Error('The local service ended while it was started.');
      state.set({ kind: 'running', baseUrl: service.baseUrl, settings });
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  return {
    state,
    start: (signal) => {
      starting ??= begin(signal).finally(() => {
        starting = undefined;
      });
      return starting;
    },
    stop: async () => {
      const service = running;
      if (service === undefined) return;
      await service.stop();
      if (running === service) leave();
    },
    dispose: () => {
      ports.access.set('none');
      running?.dispose();
      running = undefined;
      state.dispose();
    },
  };
}
