import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event, type Observable } from '../../base/event.ts';
import type { KeyExpiration, KeyRight } from '../../domain/apiKey.ts';
import { type Connection, isLoopback, localConnectionId } from '../../domain/connection.ts';
import { ConnectionError } from '../../domain/errors.ts';
import type { ClientFactory, RecordPort, SecretPort, StatePort } from '../ports.ts';
import {
  checkBaseUrl,
  checkKey,
  checkMcpToken,
  checkName,
  checkSecrets,
  checkSettingsUrl,
  refuseDuplicate,
  type ConnectionSecrets,
  verifyMcpToken,
  verifySecrets,
} from './connectionChecks.ts';
import { ConnectionKeys } from './connectionKeys.ts';
import { ConnectionRecords, type StoredTrouble } from './connectionRecords.ts';
import type { Clock } from '../../base/time.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

export interface NewConnection extends ConnectionSecrets {
  readonly name: string;
  readonly baseUrl: string;
  /** Default "remote". */
  readonly kind?: Connection['kind'];
  readonly expiration?: KeyExpiration;
}

interface VerifyOptions {
  /** "always" (default) checks the key with the service. "never": after "unverified" and the user's consent, or for a newly created key. */
  readonly verify?: 'always' | 'never';
}

export interface ConnectionsDeps {
  /** Shared by all windows. */
  readonly records: RecordPort;
  /** Stores which connection is active in this workspace. */
  readonly workspaceState: StatePort;
  readonly secrets: SecretPort;
  readonly createClient: ClientFactory;
  readonly clock: Clock;
  /** The prefix of keys; default "svc_sk_". */
  readonly keyPrefix: () => string;
  readonly createId: () => string;
}

/**
 * The user's connections, the active connection, and the only way to set and read their keys. Every call rejects with a
 * ConnectionError, a ServiceError "secretStorage", or the signal's reason.
 */
export class Connections implements Disposable {
  readonly #deps: ConnectionsDeps;
  readonly #records: ConnectionRecords;
  readonly #keys: ConnectionKeys;
  readonly #owned = new DisposableStore();
  readonly #keyChanges = this.#owned.add(new Emitter<string>());
  /** Fires with the id of a connection whose key was set, replaced or deleted, in this window or another one. */
  readonly onDidChangeKey: Event<string> = this.#keyChanges.event;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
    this.#keys = new ConnectionKeys(deps.secrets, deps.clock);
    this.#records = this.#owned.add(new ConnectionRecords(deps));
    this.#owned.add(
      deps.secrets.onDidChange((connectionId) => {
        this.#records.reload();
        this.#keyChanges.fire(connectionId);
      }),
    );
  }

  get all(): Observable<readonly Connection[]> {
    return this.#records.all;
  }

  /** The connection that this workspace uses; null when there is none. */
  get active(): Observable<Connection | null> {
    return this.#records.active;
  }

  /** Problems with the stored records. */
  get trouble(): Observable<StoredTrouble> {
    return this.#records.trouble;
  }

  /** Fires with the id of a connection that was removed, in this window or another one, after it has left the list. */
  get onDidRemove(): Event<string> {
    return this.#records.onDidRemove;
  }

  find(connectionId: string): Connection | undefined {
    return this.all.current.find(({ id }) => id === connectionId);
  }

  /** Throws a ConnectionError "unknownConnection" if the connection was removed. */
  get(connectionId: string): Connection {
    const record = this.find(connectionId);
    if (!record) throw new ConnectionError({ kind: 'unknownConnection', connectionId });
    return record;
  }

  /** Checks, verifies and stores a connection, and makes it the active one. Trailing slashes of the base URL are removed. */
  async add(connection: NewConnection, options: VerifyOptions = {}): Promise<Connection> {
    const kind = connection.kind ?? 'remote';
    const record: Connection = {
      id: kind === 'local' ? localConnectionId : this.#deps.createId(),
      name: checkName(connection.name),
      kind,
      baseUrl: checkBaseUrl(connection.baseUrl, kind),
      ...(connection.expiration === undefined ? {} : { expiration: connection.expiration }),
      keySetAt: this.#timeNow(),
    };
    const secrets = checkSecrets(connection, this.#deps.keyPrefix(), kind);
    refuseDuplicate(this.all.current, record);
    await this.#verify(record, secrets, options);
    // The key is stored first, so that no window sees the record without its key.
    try {
      await this.#keys.write(record, secrets);
      await this.#records.change((records) => {
        refuseDuplicate(records, record);
        return [...records, record];
      });
    } catch (error) {
      // A storage that didn't respond in time may still store the key. The error says why nothing was added.
      this.#records.reload();
      if (this.find(record.id) === undefined) this.#keys.delete(record.id).catch(() => undefined);
      throw error;
    }
    await this.#records.activate(record.id);
    return record;
  }

  async rename(connectionId: string, name: string): Promise<Connection> {
    const checked = checkName(name);
    return this.#replace(connectionId, (record) => ({ ...record, name: checked }));
  }

  /** Stores the URL of the service's own page for keys; undefined deletes it. Only https is accepted. */
  async setSettingsPage(connectionId: string, settingsUrl: string | undefined): Promise<Connection> {
    const checked = settingsUrl === undefined ? {} : { settingsUrl: checkSettingsUrl(settingsUrl) };
    return this.#replace(connectionId, ({ settingsUrl: earlier, ...others }) => ({ ...others, ...checked }));
  }

  async switchTo(connectionId: string): Promise<void> {
    this.get(connectionId);
    await this.#records.activate(connectionId);
  }

  /** Verifies the new key first. If that fails, the old key stays. */
  async replaceKey(
    connectionId: string,
    apiKey: string,
    options: VerifyOptions & { readonly expiration?: KeyExpiration } = {},
  ): Promise<Connection> {
    const asked = this.get(connectionId);
    const key = checkKey(apiKey, this.#deps.keyPrefix(), asked.kind);
    await this.#verify(asked, { apiKey: key }, options);
    const record = this.get(connectionId);
    // A key is only stored for the address at which it was verified.
    if (record.baseUrl !== asked.baseUrl) return this.replaceKey(connectionId, apiKey, options);
    await this.#keys.write(record, { apiKey: key });
    // The old key's lifetime doesn't apply to the new one.
    return this.#replace(connectionId, ({ expiration, ...others }) => ({
      ...others,
      ...(options.expiration === undefined ? {} : { expiration: options.expiration }),
      keySetAt: this.#timeNow(),
    }));
  }

  /** Verifies the new token first. If that fails, the old one stays. An empty one deletes it. Returns whether there's one now. */
  async replaceMcpToken(connectionId: string, text: string, options: VerifyOptions = {}): Promise<boolean> {
    const record = this.get(connectionId);
    const token = checkMcpToken(text, record.kind);
    if (token !== undefined && options.verify !== 'never')
      await verifyMcpToken(this.#deps.createClient, record, token);
    await this.#keys.writeMcpToken(this.get(connectionId), token);
    return token !== undefined;
  }

  /** Resolves when the MCP server of the connection's service accepts this token, or none is given. */
  async verifyMcpToken(connectionId: string, text: string, signal?: AbortSignal): Promise<void> {
    const record = this.get(connectionId);
    const token = checkMcpToken(text, record.kind);
    if (token !== undefined) await verifyMcpToken(this.#deps.createClient, record, token, signal);
  }

  /** Changes a local connection's address to the local service's current one, and binds its key to that address. */
  async relocate(connectionId: string, baseUrl: string): Promise<Connection> {
    const record = this.get(connectionId);
    const checked = checkBaseUrl(baseUrl);
    if (record.kind !== 'local' || !isLoopback(new URL(checked).hostname))
      throw new ConnectionError({ kind: 'baseUrlInsecure' });
    if (record.baseUrl === checked) return record;
    await this.#keys.rebind({ ...record, baseUrl: checked });
    return this.#replace(connectionId, (current) => ({ ...current, baseUrl: checked }));
  }

  /** Deletes the key, too. */
  async remove(connectionId: string): Promise<void> {
    this.get(connectionId);
    await this.#keys.delete(connectionId);
    await this.#records.change((records) => records.filter(({ id }) => id !== connectionId));
  }

  /**
   * Requests one workflow with this key. Resolves when the service accepts the key, and its MCP server the token if one is given, with the
   * rights that the key lacks.
   */
  verifySecrets(
    { kind, baseUrl }: Pick<Connection, 'kind' | 'baseUrl'>,
    secrets: ConnectionSecrets,
    signal?: AbortSignal,
  ): Promise<readonly KeyRight[]> {
    const address = { kind, baseUrl: checkBaseUrl(baseUrl, kind) };
    const checked = checkSecrets(secrets, this.#deps.keyPrefix(), kind);
    return verifySecrets(this.#deps.createClient, address, checked, signal);
  }

  /** Returns the key only if it was stored for the connection's own origin. */
  readKey(connection: Connection): Promise<string | undefined> {
    return this.#keys.read(connection);
  }

  /** Returns the token of its MCP server only if it was stored for the connection's own origin. */
  readMcpToken(connection: Connection): Promise<string | undefined> {
    return this.#keys.readMcpToken(connection);
  }

  /** Reads the secrets that no prefix marks, so that they're masked also before they're used. */
  async hideSecrets(): Promise<void> {
    const unprefixed = this.all.current.filter(({ kind }) => !serviceTraits[kind].hasKeyPrefix);
    await Promise.all(unprefixed.map((connection) => this.readKey(connection)));
  }

  /** Reads the stored records again, since another window may have changed them. */
  reload(): void {
    this.#records.reload();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #verify(address: Connection, secrets: ConnectionSecrets, { verify }: VerifyOptions): Promise<void> {
    if (verify !== 'never') await verifySecrets(this.#deps.createClient, address, secrets);
  }

  async #replace(connectionId: string, next: (record: Connection) => Connection): Promise<Connection> {
    await this.#records.change((records) =>
      records.map((record) => (record.id === connectionId ? next(record) : record)),
    );
    return this.get(connectionId);
  }

  #timeNow(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}
