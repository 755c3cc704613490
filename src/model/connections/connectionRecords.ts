import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { equalJson, parseJson, stringifyJson } from '../../base/json.ts';
import { type Connection, ConnectionRecordSchema } from '../../domain/connection.ts';
import type { RecordPort, StatePort } from '../ports.ts';
import { Emitter, type Event, type Observable, ObservableValue } from '../../base/event.ts';
import { ConnectionError } from '../../domain/errors.ts';

const activeEntryName = 'activeConnection';

const version = 1;
const versionName = 'version';
const VersionSchema = v.object({ version: v.number() });

const StoredSchema = v.object({
  /** Lists are sorted by position, from the lowest. */
  position: v.number(),
  connection: ConnectionRecordSchema,
});
type StoredRecord = Readonly<v.InferOutput<typeof StoredSchema>>;

/** Problems with the stored records that are shown to the user. */
export interface StoredTrouble {
  /** The paths of the damaged records that this window set aside. */
  readonly damaged: readonly string[];
  /** A newer version of the extension stored the records, so none is read or changed. */
  readonly isNewerVersion: boolean;
}

export interface ConnectionRecordsDeps {
  readonly records: RecordPort;
  readonly workspaceState: StatePort;
}

/** The stored connections and the active one, which is the first one if the stored choice is missing. Other windows write the records, too. */
export class ConnectionRecords implements Disposable {
  readonly #deps: ConnectionRecordsDeps;
  readonly #stored: StoredRecords;
  readonly #all = new ObservableValue<readonly Connection[]>([]);
  readonly #active = new ObservableValue<Connection | null>(null);
  readonly #trouble = new ObservableValue<StoredTrouble>({ damaged: [], isNewerVersion: false });
  readonly #removals = new Emitter<string>();
  /** Fires with the id of a connection that was removed, in this window or another one, after it has left the list. */
  readonly onDidRemove: Event<string> = this.#removals.event;

  constructor(deps: ConnectionRecordsDeps) {
    this.#deps = deps;
    this.#stored = new StoredRecords(deps.records, (path) =>
      this.#trouble.set({ ...this.#trouble.current, damaged: [...this.#trouble.current.damaged, path] }),
    );
    this.reload();
  }

  get all(): Observable<readonly Connection[]> {
    return this.#all;
  }

  get active(): Observable<Connection | null> {
    return this.#active;
  }

  get trouble(): Observable<StoredTrouble> {
    return this.#trouble;
  }

  reload(): void {
    const found = this.#read();
    this.#show(found === 'newerVersion' ? [] : found.map(({ connection }) => connection));
  }

  /**
   * Stores the result of `next` for the current records. Changes run one after the other, including those of other windows.
   * Rejects with a ConnectionError.
   */
  async change(next: (records: readonly Connection[]) => readonly Connection[]): Promise<void> {
    try {
      await this.#deps.records.exclusively(async () => {
        const found = this.#read();
        if (found === 'newerVersion') throw new ConnectionError({ kind: 'newerVersion' });
        const before = found.map(({ connection }) => connection);
        const changed = next(before);
        await this.#stored.replace(found, changed);
        this.#show(changed, new Set(before.map(({ id }) => id)));
      });
    } catch (error) {
      throw error instanceof ConnectionError ? error : new ConnectionError({ kind: 'notStored', error });
    }
  }

  async activate(connectionId: string): Promise<void> {
    await this.#deps.workspaceState.set(activeEntryName, connectionId);
    this.#chooseActive()();
  }

  dispose(): void {
    this.#all.dispose();
    this.#active.dispose();
    this.#trouble.dispose();
    this.#removals.dispose();
  }

  #read(): readonly StoredRecord[] | 'newerVersion' {
    const found = this.#stored.read();
    const isNewerVersion = found === 'newerVersion';
    const trouble = this.#trouble.current;
    if (isNewerVersion !== trouble.isNewerVersion) this.#trouble.set({ ...trouble, isNewerVersion });
    return found;
  }

  /** own: the ids of those that this window has just changed. */
  #show(read: readonly Connection[], own: ReadonlySet<string> = new Set()): void {
    const { current } = this.#all;
    const kept = read.map(
      (record) => current.find((earlier) => equalJson({ ...earlier }, { ...record })) ?? record,
    );
    const isSame = kept.length === current.length && kept.every((item, at) => item === current[at]);
    // Both change before either event fires: a listener to a removal mustn't find the removed connection active.
    const announceAll = isSame ? undefined : this.#all.replace(kept);
    const announceActive = this.#chooseActive();
    announceAll?.();
    announceActive();
    // What a newer version has stored isn't read, but it isn't removed either.
    if (this.#trouble.current.isNewerVersion) return;
    for (const { id } of current) {
      if (kept.some((record) => record.id === id)) continue;
      // Nor is one whose record is damaged, or can't be read: what belongs to it stays.
      if (own.has(id) || this.#stored.isGone(id)) this.#removals.fire(id);
    }
  }

  #chooseActive(): () => void {
    const choice = this.#deps.workspaceState.get(activeEntryName);
    const { current } = this.#all;
    return this.#active.replace(current.find(({ id }) => id === choice) ?? current[0] ?? null);
  }
}

/** Connections as records that windows share: a version mark, and one record per connection. */
class StoredRecords {
  readonly #records: RecordPort;
  readonly #onDidSetAside: (path: string) => void;

  /** `onDidSetAside` is called with the path of a damaged record. */
  constructor(records: RecordPort, onDidSetAside: (path: string) => void) {
    this.#records = records;
    this.#onDidSetAside = onDidSetAside;
  }

  /** Returns the records in their order. Sets damaged ones aside. */
  read(): readonly StoredRecord[] | 'newerVersion' {
    const texts = this.#records.read();
    const mark = texts.get(versionName);
    // Without the mark, the records as a whole are lost, or can't be read.
    if (mark === undefined) return [];
    const reported = v.safeParse(VersionSchema, parseJson(mark));
    if (reported.success && reported.output.version > version) return 'newerVersion';
    const found: StoredRecord[] = [];
    for (const [name, text] of texts) {
      if (name === versionName) continue;
      const decoded = v.safeParse(StoredSchema, parseJson(text));
      if (decoded.success && decoded.output.connection.id === name) found.push(decoded.output);
      else this.#setAside(name);
    }
    return found.toSorted(
      (left, right) =>
        left.position - right.position || left.connection.id.localeCompare(right.connection.id),
    );
  }

  /** True for the record of a connection that was removed. */
  isGone(connectionId: string): boolean {
    return this.#records.read().has(versionName) && this.#records.isGone(connectionId);
  }

  /** Writes the differences from the records that were read. Call it within `exclusively`. */
  async replace(found: readonly StoredRecord[], changed: readonly Connection[]): Promise<void> {
    let last = found.at(-1)?.position ?? 0;
    for (const connection of changed) {
      const earlier = found.find(({ connection: { id } }) => id === connection.id);
      if (equalJson({ ...earlier?.connection }, { ...connection })) continue;
      const position = earlier?.position ?? (last += 1);
      await this.#records.write(connection.id, stringifyJson({ position, connection }));
    }
    for (const { connection } of found)
      if (!changed.some(({ id }) => id === connection.id)) await this.#records.delete(connection.id);
    if (!this.#records.read().has(versionName))
      await this.#records.write(versionName, stringifyJson({ version }));
  }

  #setAside(name: string): void {
    const path = this.#records.setAside(name);
    if (path !== undefined) this.#onDidSetAside(path);
  }
}
