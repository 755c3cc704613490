// The connections of this user, which one this window works with, and the only way their keys are set and read.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Observable } from '../../base/observable.ts';
import type { ClientFactory, Clock, RecordPort, SecretPort, StatePort } from '../ports.ts';
import { checkBaseUrl, checkKey, checkName, checkSettingsUrl } from './connectionChecks.ts';
import { ConnectionError } from '../../domain/connectionError.ts';
import { type ConnectionKeys, createConnectionKeys } from './connectionKeys.ts';
import { type Connection, isLoopback } from '../../domain/connection.ts';
import { type ConnectionRecords, createConnectionRecords, type StoredTrouble } from './connectionRecords.ts';
import { verifyKey } from './keyVerification.ts';
import type { KeyExpiration } from '../../domain/apiKey.ts';

export interface NewConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Default "remote". */
  readonly kind?: Connection['kind'];
  readonly expiration?: KeyExpiration;
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** "always" (default) asks the service first; "never" stores unasked: after "unverified" and the user's consent, or for a key just created. */
  readonly verify?: 'always' | 'never';
}

/** Every call rejects with a ConnectionError, a ServiceError "secretStorage", or the signal's reason when it was cancelled. */
export interface Connections extends Disposable {
  readonly all: Observable<readonly Connection[]>;
  /** The one this workspace works with; null when there is none. */
  readonly active: Observable<Connection | null>;
  /** What is wrong with the stored records. */
  readonly trouble: Observable<StoredTrouble>;
  /** The id of a connection whose key was set, replaced or deleted, in this window or another one. */
  readonly onDidChangeKey: Event<string>;
  find(connectionId: string): Connection | undefined;
  /** Checks, verifies, stores, and makes it the active one. The base URL loses trailing slashes. */
  add(connection: NewConnection, options?: VerifyOptions): Promise<Connection>;
  rename(connectionId: string, name: string): Promise<Connection>;
  /** Remembers where the service's settings for keys are; undefined forgets it. Only https is taken. */
  setSettingsPage(connectionId: string, settingsUrl: string | undefined): Promise<Connection>;
  switchTo(connectionId: string): Promise<void>;
  /** Verifies the new key first; the old one stays when that fails. */
  replaceKey(
    connectionId: string,
    apiKey: string,
    options?: VerifyOptions & { readonly expiration?: KeyExpiration },
  ): Promise<Connection>;
  /** Points a local connection at the address where the local service listens now, and binds its key to it. */
  relocate(connectionId: string, baseUrl: string): Promise<Connection>;
  /** The key goes too. */
  remove(connectionId: string): Promise<void>;
  /** Asks the service for one workflow with this key; resolves when it accepts. */
  verifyKey(
    address: Pick<Connection, 'kind' | 'baseUrl'>,
    apiKey: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The key, only when it was stored for the record's own origin. */
  readKey(connection: Connection): Promise<string | undefined>;
  /** Reads the stored records again; another window may have changed them. */
  reload(): void;
}

export interface ConnectionsDeps {
  /** Shared by all windows. */
  readonly records: RecordPort;
  /** Where earlier versions kept the records. */
  readonly globalState: Pick<StatePort, 'get'>;
  /** Of this workspace: which one is active. */
  readonly workspaceState: StatePort;
  readonly secrets: SecretPort;
  readonly createClient: ClientFactory;
  readonly clock: Clock;
  /** What keys start with now; default "svc_sk_". */
  readonly keyPrefix: () => string;
  readonly createId: () => string;
}

/** Builds the store; reads the stored records at once. */
export function createConnections(ports: ConnectionsDeps): Connections {
  return new StoredConnections(ports);
}

class StoredConnections implements Connections {
  readonly #ports: ConnectionsDeps;
  readonly #records: ConnectionRecords;
  readonly #keys: ConnectionKeys;
  readonly #owned = new DisposableStore();
  readonly #keyChanges = this.#owned.add(new Emitter<string>());
  readonly onDidChangeKey = this.#keyChanges.event;

  constructor(ports: ConnectionsDeps) {
    this.#ports = ports;
    this.#keys = createConnectionKeys(ports.secrets, ports.clock);
    this.#records = this.#owned.add(createConnectionRecords(ports));
    this.#owned.add(
      ports.secrets.onDidChange((connectionId) => {
        this.#records.reload();
        this.#keyChanges.fire(connectionId);
      }),
    );
  }

  get all(): Observable<readonly Connection[]> {
    return this.#records.all;
  }

  get active(): Observable<Connection | null> {
    return this.#records.active;
  }

  get trouble(): Observable<StoredTrouble> {
    return this.#records.trouble;
  }

  find(connectionId: string): Connection | undefined {
    return this.all.current.find(({ id }) => id === connectionId);
  }

  async add(connection: NewConnection, options: VerifyOptions = {}): Promise<Connection> {
    const record: Connection = {
      id: this.#ports.createId(),
      name: checkName(connection.name),
      kind: connection.kind ?? 'remote',
      baseUrl: checkBaseUrl(connection.baseUrl),
      ...(connection.expiration === undefined ? {} : { expiration: connection.expiration }),
      keySetAt: this.#timeNow(),
    };
    const key = checkKey(connection.apiKey, this.#ports.keyPrefix());
    refuseDuplicate(this.all.current, record);
    await this.#verify(record, key, options);
    // The key goes first, so that no window ever sees the record without it.
    try {
      await this.#keys.write(record, key);
      await this.#records.change((records) => {
        refuseDuplicate(records, record);
        return [...records, record];
      });
    } catch (error) {
      // A storage that did not answer in time may still store the key, which is nobody's then. What is told is why nothing was added.
      this.#keys.delete(record.id).catch(() => undefined);
      throw error;
    }
    await this.#records.activate(record.id);
    return record;
  }

  async rename(connectionId: string, name: string): Promise<Connection> {
    const checked = checkName(name);
    return this.#replace(connectionId, (record) => ({ ...record, name: checked }));
  }

  async setSettingsPage(connectionId: string, settingsUrl: string | undefined): Promise<Connection> {
    const checked = settingsUrl === undefined ? {} : { settingsUrl: checkSettingsUrl(settingsUrl) };
    return this.#replace(connectionId, (record) => ({ ...omit(record, 'settingsUrl'), ...checked }));
  }

  async switchTo(connectionId: string): Promise<void> {
    this.#need(connectionId);
    await this.#records.activate(connectionId);
  }

  async replaceKey(
    connectionId: string,
    apiKey: string,
    options: VerifyOptions & { readonly expiration?: KeyExpiration } = {},
  ): Promise<Connection> {
    const asked = this.#need(connectionId);
    const key = checkKey(apiKey, this.#ports.keyPrefix());
    await this.#verify(asked, key, options);
    const record = this.#need(connectionId);
    // A key is stored only for the address it was verified at.
    if (record.baseUrl !== asked.baseUrl) return this.replaceKey(connectionId, apiKey, options);
    await this.#keys.write(record, key);
    // What was said of the old key's lifetime does not hold for the new one.
    return this.#replace(connectionId, (current) => ({
      ...omit(current, 'expiration'),
      ...(options.expiration === undefined ? {} : { expiration: options.expiration }),
      keySetAt: this.#timeNow(),
    }));
  }

  async relocate(connectionId: string, baseUrl: string): Promise<Connection> {
    const record = this.#need(connectionId);
    const checked = checkBaseUrl(baseUrl);
    if (record.kind !== 'local' || !isLoopback(new URL(checked).hostname))
      throw new ConnectionError({ kind: 'baseUrlInsecure' });
    if (record.baseUrl === checked) return record;
    await this.#keys.rebind({ ...record, baseUrl: checked });
    return this.#replace(connectionId, (current) => ({ ...current, baseUrl: checked }));
  }

  async remove(connectionId: string): Promise<void> {
    this.#need(connectionId);
    await this.#keys.delete(connectionId);
    await this.#records.change((records) => records.filter(({ id }) => id !== connectionId));
  }

  verifyKey(
    { kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>,
    apiKey: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const key = checkKey(apiKey, this.#ports.keyPrefix());
    return verifyKey(this.#ports.createClient, { kind, baseUrl: checkBaseUrl(baseUrl) }, key, signal);
  }

  readKey(connection: Connection): Promise<string | undefined> {
    return this.#keys.read(connection);
  }

  reload(): void {
    this.#records.reload();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #need(connectionId: string): Connection {
    const record = this.find(connectionId);
    if (!record) throw new ConnectionError({ kind: 'unknownConnection', connectionId });
    return record;
  }

  async #verify(address: Connection, key: string, options: VerifyOptions): Promise<void> {
    if (options.verify !== 'never') await verifyKey(this.#ports.createClient, address, key, options.signal);
    options.signal?.throwIfAborted();
  }

  async #replace(connectionId: string, next: (record: Connection) => Connection): Promise<Connection> {
    await this.#records.change((records) =>
      records.map((record) => (record.id === connectionId ? next(record) : record)),
    );
    return this.#need(connectionId);
  }

  #timeNow(): string {
    return new Date(this.#ports.clock.now()).toISOString();
  }
}

function omit(record: Connection, member: 'expiration' | 'settingsUrl'): Connection {
  const rest = { ...record };
  Reflect.deleteProperty(rest, member);
  return rest;
}

function refuseDuplicate(records: readonly Connection[], added: Connection): void {
  const same = records.find(({ name, baseUrl }) => name === added.name && baseUrl === added.baseUrl);
  if (same) throw new ConnectionError({ kind: 'duplicate', connectionId: same.id });
}
