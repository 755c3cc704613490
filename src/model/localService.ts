import type { SettingsClient } from '../api/settingsClient.ts';
import { unlessAborted } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { type Event, type Observable, ObservableValue } from '../base/event.ts';
import { type Connection, localConnectionId } from '../domain/connection.ts';
import type { Connections } from './connections/connections.ts';
import type { KeyReader } from '../api/servicePort.ts';
import { isConnectionError, ServiceError } from '../domain/errors.ts';

/** The address at which the service has proven its identity to this window. "awaited": a start is in progress. */
type ProvenAddress = 'none' | 'awaited' | { readonly baseUrl: string };

/** Guards keys for the local service. Any program may listen at its old address, so keys are only sent while the service proves its identity. */
export class LocalAccess implements Disposable {
  readonly #address = new ObservableValue<ProvenAddress>('none');

  set(address: ProvenAddress): void {
    this.#address.set(address);
  }

  /**
   * Returns the key reader for a connection. For a local one it waits for a start in progress, and rejects with "unreachable" if the service
   * hasn't proven its identity.
   */
  guard({ kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>, readKey: KeyReader): KeyReader {
    if (kind !== 'local') return readKey;
    return async () => {
      await this.#settled();
      this.#refuseUnproven(baseUrl);
      const key = await readKey();
      // The service may have ended while the key was read.
      this.#refuseUnproven(baseUrl);
      return key;
    };
  }

  dispose(): void {
    this.#address.set('none');
    this.#address.dispose();
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = (address: ProvenAddress): void => {
        if (address === 'awaited') return;
        listener.dispose();
        resolve();
      };
      const listener = this.#address.onDidChange(check);
      check(this.#address.current);
    });
  }

  #refuseUnproven(baseUrl: string): void {
    const { current } = this.#address;
    if (typeof current === 'object' && current.baseUrl === baseUrl) return;
    throw new ServiceError({ kind: 'unreachable', cause: 'refused' }, "The local service isn't running.");
  }
}

/** A running service that this window holds a lease on. Disposing returns the lease. */
interface RunningService extends Disposable {
  readonly baseUrl: string;
  readonly origin: string;
  readonly sessionToken: string;
  /** Fires when the process or the lease has ended. */
  readonly onDidEnd: Event<void>;
  /** Ends the service for every window. */
  stop(): Promise<void>;
}

export interface LocalServiceDeps {
  readonly connections: Connections;
  /** Starts the service, or joins the one of another window. */
  readonly launch: (signal: AbortSignal) => Promise<RunningService>;
  /** Receives the address that keys may be sent to. */
  readonly access: Pick<LocalAccess, 'set'>;
  readonly createSettings: (running: RunningService) => SettingsClient;
  /** The names of the connection and its key. */
  readonly names: { readonly connection: string; readonly key: string };
}

export type LocalServiceState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly baseUrl: string; readonly settings: SettingsClient };

/** A start that several callers wait for. It's cancelled when none of them does any more. */
interface SharedStart {
  readonly connection: Promise<Connection>;
  readonly work: AbortController;
  callers: number;
}

/** The embedded service from this window's point of view. */
export class LocalService implements Disposable {
  readonly #deps: LocalServiceDeps;
  readonly #state = new ObservableValue<LocalServiceState>({ kind: 'stopped' });
  #running: RunningService | undefined;
  #starting: SharedStart | undefined;

  constructor(deps: LocalServiceDeps) {
    this.#deps = deps;
  }

  get state(): Observable<LocalServiceState> {
    return this.#state;
  }

  /**
   * Starts or joins the service and resolves with a connection whose key works. Concurrent calls share one start, which goes on for the others
   * when one is cancelled.
   */
  async start(signal: AbortSignal): Promise<Connection> {
    while (this.#starting?.work.signal.aborted === true)
      await unlessAborted(Promise.allSettled([this.#starting.connection]), signal);
    signal.throwIfAborted();
    const start = (this.#starting ??= this.#share());
    start.callers += 1;
    try {
      return await unlessAborted(start.connection, signal);
    } finally {
      start.callers -= 1;
      if (signal.aborted && start.callers === 0) start.work.abort(signal.reason);
    }
  }

  /** Ends the service for every window. Its data is kept. */
  async stop(): Promise<void> {
    // A start under way would have it running afterwards.
    await Promise.allSettled([this.#starting?.connection]);
    const service = this.#running;
    if (service === undefined) return;
    await service.stop();
    if (this.#running === service) this.#leave();
  }

  dispose(): void {
    this.#starting?.work.abort();
    this.#deps.access.set('none');
    this.#running?.dispose();
    this.#running = undefined;
    this.#state.dispose();
  }

  #share(): SharedStart {
    const work = new AbortController();
    const connection = this.#begin(work.signal).finally(() => {
      this.#starting = undefined;
    });
    return { connection, work, callers: 0 };
  }

  async #begin(signal: AbortSignal): Promise<Connection> {
    const { access, createSettings } = this.#deps;
    const held = this.#running;
    if (held === undefined) {
      access.set('awaited');
      this.#state.set({ kind: 'starting' });
    }
    try {
      const service = held ?? (await this.#launch(signal));
      const settings = createSettings(service);
      const connection = await prepareConnection(this.#deps, settings, service.baseUrl, signal);
      // If the service has ended, another program may listen at the address.
      if (this.#running !== service) throw new Error('The local service ended while it was started.');
      this.#state.set({ kind: 'running', baseUrl: service.baseUrl, settings });
      return connection;
    } catch (error) {
      // One that ran before has nothing to do with it.
      if (held === undefined) this.#leave();
      throw error;
    }
  }

  async #launch(signal: AbortSignal): Promise<RunningService> {
    const launched = await this.#deps.launch(signal);
    if (signal.aborted) launched.dispose();
    signal.throwIfAborted();
    this.#running = launched;
    this.#deps.access.set(launched);
    launched.onDidEnd(() => {
      if (this.#running === launched) this.#leave();
    });
    return launched;
  }

  #leave(): void {
    this.#deps.access.set('none');
    this.#running?.dispose();
    this.#running = undefined;
    this.#state.set({ kind: 'stopped' });
  }
}

/** Returns the local connection with a key that the service accepts. Creates the connection and the key if needed. */
async function prepareConnection(
  deps: LocalServiceDeps,
  settings: SettingsClient,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Connection> {
  const { connections, names } = deps;
  const known = connections.all.current.find((connection) => connection.kind === 'local');
  const createKey = async (): Promise<string> =>
    (await settings.createKey(names.key, 'never', { signal })).key;
  if (known === undefined) {
    const apiKey = await createKey();
    const added = { name: names.connection, kind: 'local', baseUrl, apiKey, expiration: 'never' } as const;
    try {
      return await connections.add(added, { verify: 'never' });
    } catch (error) {
      // Another window has added it meanwhile.
      if (!isConnectionError(error, 'duplicate') || connections.find(localConnectionId) === undefined)
        throw error;
      return prepareConnection(deps, settings, baseUrl, signal);
    }
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
    await connections.verifySecrets(connection, { apiKey: key }, signal);
    return true;
  } catch (error) {
    if (isConnectionError(error, 'keyRejected')) return false;
    if (isConnectionError(error, 'unverified')) return true;
    throw error;
  }
}
