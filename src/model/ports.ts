// The model's interfaces to its environment, so that it runs both in an editor and in a plain test.
import * as v from 'valibot';
import type { ClientOwner, KeyReader, ServicePort } from '../api/servicePort.ts';
import type { Event } from '../base/event.ts';
import type { JsonValue } from '../base/json.ts';
import type { Connection } from '../domain/connection.ts';
import type { LocalDataCounts } from '../domain/localData.ts';

/** Stores plain JSON across sessions. The result of `get` may be anything, so the reader decodes it. */
export interface StatePort {
  get(key: string): unknown;
  /** undefined deletes the entry. */
  set(key: string, value: JsonValue | undefined): Promise<void>;
}

/** Returns the items of a stored list that fit the schema, and leaves out damaged ones. */
export function decodeStoredList<T>(stored: unknown, schema: v.GenericSchema<unknown, T>): readonly T[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((item) => {
    const decoded = v.safeParse(schema, item);
    return decoded.success ? [decoded.output] : [];
  });
}

/** Texts by name, shared by all windows of the machine. Writes are atomic and don't affect other records. */
export interface RecordPort {
  /** Returns every record that can be read. Names are plain: letters, digits, hyphens and underscores. */
  read(): ReadonlyMap<string, string>;
  write(name: string, text: string): Promise<void>;
  /** Doesn't fail if the record is missing. */
  delete(name: string): Promise<void>;
  /** True for a record that was deleted or never there: neither is it set aside, nor is it one that can't be read. */
  isGone(name: string): boolean;
  /** Moves a record to a place where it isn't read again, and returns that place. Returns undefined when another window has done it. */
  setAside(name: string): string | undefined;
  /** Runs the work while no other window runs its own. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** The data of the local service. The calls that change them reject with a LaunchError "inUse" while a service uses them. */
export interface LocalData {
  readonly folder: string;
  /** undefined if they can't be read. */
  count(): Promise<LocalDataCounts | undefined>;
  /** Moves them to another folder and returns its path. */
  setAside(): Promise<string>;
  delete(): Promise<void>;
}

/** Stores one secret per connection id, shared by all windows. */
export interface SecretPort {
  get(connectionId: string): Promise<string | undefined>;
  set(connectionId: string, secret: string): Promise<void>;
  delete(connectionId: string): Promise<void>;
  /** Fires with the id of a connection whose secret was set or deleted, in this window or another one. */
  readonly onDidChange: Event<string>;
}

/**
 * Creates the client of a connection. The client reads the key for each request and rejects with "keyMissing" without one. readMcpToken: for
 * a kind that takes such a token; default: none.
 */
export type ClientFactory = (
  connection: Connection,
  readKey: KeyReader,
  owner?: ClientOwner,
  readMcpToken?: KeyReader,
) => ServicePort;
