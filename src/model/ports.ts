// What the model needs of its surroundings, so that it runs in an editor and in a plain test alike.
import type { Event } from '../base/event.ts';
import type { JsonValue } from '../base/json.ts';
import type { Connection } from '../domain/connection.ts';
import type { ClientDeps, ServiceClient } from '../api/client.ts';

export type { Clock } from '../base/time.ts';

/** Remembers plain JSON between sessions. What `get` returns is decoded by the reader: it may be anything. */
export interface StatePort {
  get(key: string): unknown;
  /** undefined forgets the entry. */
  set(key: string, value: JsonValue | undefined): Promise<void>;
}

/** Texts by name that all windows of the machine share. A write is there as a whole or not at all, and touches no other record. */
export interface RecordPort {
  /** Every record; what cannot be read now is left out. Names are plain: letters, digits, hyphens and underscores. */
  read(): ReadonlyMap<string, string>;
  write(name: string, text: string): Promise<void>;
  /** A record that is not there is no error. */
  delete(name: string): Promise<void>;
  /** Keeps a record where nobody reads it again, and answers where that is; undefined when another window did it. */
  setAside(name: string): string | undefined;
  /** Runs the work while no other window runs its own. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Keeps one secret per connection id, shared by all windows. */
export interface SecretPort {
  get(connectionId: string): Promise<string | undefined>;
  set(connectionId: string, secret: string): Promise<void>;
  delete(connectionId: string): Promise<void>;
  /** The id of a connection whose secret was set or deleted, in this window or another one. */
  readonly onDidChange: Event<string>;
}

/** Reads the API key at the moment of a request; undefined when this machine holds none for that origin. */
export type KeyReader = () => Promise<string | undefined>;

/** Builds a client of one connection. The client asks for the key anew with each request and rejects with "keyMissing" without one. */
export type ClientFactory = (
  connection: Connection,
  readKey: KeyReader,
  onFailure?: ClientDeps['onFailure'],
) => ServiceClient;
