// Why: the connections of this user, which one this window works with, and the only way their keys are set and read.
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Observable } from '../../base/observable.ts';
import type { KeyExpiration } from '../../protocol/records.ts';
import type { ClientFactory, Clock, SecretPort, StatePort } from '../ports.ts';
import type { ConnectionRecord } from './connectionRecord.ts';

export interface NewConnection {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Default "remote". */
  readonly kind?: ConnectionRecord['kind'];
  readonly expiration?: KeyExpiration;
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** "always" (default) asks the service first; "never" stores unasked: after "unverified" and the user's consent, or for a key just created. */
  readonly verify?: 'always' | 'never';
}

/** Every call rejects with a ConnectionError, or with the signal's reason when it was cancelled. */
export interface Connections extends Disposable {
  readonly all: Observable<readonly ConnectionRecord[]>;
  /** The one this workspace works with; null when there is none. */
  readonly active: Observable<ConnectionRecord | null>;
  /** The id of a connection whose key was set, replaced or deleted, in this window or another one. */
  readonly onDidChangeKey: Event<string>;
  find(connectionId: string): ConnectionRecord | undefined;
  /** Checks, verifies, stores, and makes it the active one. The base URL loses trailing slashes. */
  add(connection: NewConnection, options?: VerifyOptions): Promise<ConnectionRecord>;
  rename(connectionId: string, name: string): Promise<ConnectionRecord>;
  switchTo(connectionId: string): Promise<void>;
  /** Verifies the new key first; the old one stays when that fails. */
  replaceKey(
    connectionId: string,
    apiKey: string,
    options?: VerifyOptions & { readonly expiration?: KeyExpiration },
  ): Promise<ConnectionRecord>;
  /** Points a local connection at the address where the local service listens now, and binds its key to it. */
  relocate(connectionId: string, baseUrl: string): Promise<ConnectionRecord>;
  /** The key goes too. */
  remove(connectionId: string): Promise<void>;
  /** Asks the service for one workflow with this key; resolves when it accepts. */
  verifyKey(baseUrl: string, apiKey: string, signal?: AbortSignal): Promise<void>;
  /** The key, only when it was stored for the record's own origin. */
  readKey(connection: ConnectionRecord): Promise<string | undefined>;
  /** Reads the stored records again; another window may have changed them. */
  reload(): void;
}

export interface ConnectionsPorts {
  /** Shared by all windows: the records. */
  readonly globalState: StatePort;
  /** Of this workspace: which one is active. */
  readonly workspaceState: StatePort;
  readonly secrets: SecretPort;
  readonly createClient: ClientFactory;
  readonly clock: Clock;
  /** What keys start with now; default "svc_sk_". */
  readonly keyPrefix: () => string;
  readonly createId: () => string;
}

export declare function createConnections(ports: ConnectionsPorts): Connections;
