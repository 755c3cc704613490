// Connections as records that windows share: a mark of the version, and one record for each connection.
import * as v from 'valibot';
import { equalJson, parseJson } from '../../base/json.ts';
import type { RecordPort, StatePort } from '../ports.ts';
import { type Connection, ConnectionRecordSchema } from '../../domain/connection.ts';

const version = 1;
const versionName = 'version';
const VersionSchema = v.object({ version: v.number() });
/** Where versions before the mark kept all of them, as one list. */
const earlierEntry = 'connections';

const StoredSchema = v.object({
  /** They are listed by it, from the lowest. */
  position: v.number(),
  connection: ConnectionRecordSchema,
});
export type StoredRecord = Readonly<v.InferOutput<typeof StoredSchema>>;

export class StoredRecords {
  readonly #records: RecordPort;
  readonly #earlier: Pick<StatePort, 'get'>;
  readonly #onDidSetAside: (path: string) => void;

  /** onDidSetAside: hears where a damaged record is kept. */
  constructor(records: RecordPort, earlier: Pick<StatePort, 'get'>, onDidSetAside: (path: string) => void) {
    this.#records = records;
    this.#earlier = earlier;
    this.#onDidSetAside = onDidSetAside;
  }

  /** In their order. A damaged one is set aside and costs no other. */
  read(): readonly StoredRecord[] | 'newerVersion' {
    const texts = this.#records.read();
    const mark = texts.get(versionName);
    if (mark === undefined) return this.#readEarlier();
    const told = v.safeParse(VersionSchema, parseJson(mark));
    if (told.success && told.output.version > version) return 'newerVersion';
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

  /** Writes what differs from what was read. To be called where nobody else writes meanwhile. */
  async replace(found: readonly StoredRecord[], changed: readonly Connection[]): Promise<void> {
    const isFirst = !this.#records.read().has(versionName);
    if (isFirst) await this.#keepDamagedOfEarlier();
    let last = found.at(-1)?.position ?? 0;
    for (const connection of changed) {
      const earlier = found.find(({ connection: { id } }) => id === connection.id);
      if (!isFirst && equalJson({ ...earlier?.connection }, { ...connection })) continue;
      const position = earlier?.position ?? (last += 1);
      await this.#records.write(connection.id, JSON.stringify({ position, connection }));
    }
    for (const { connection } of found)
      if (!changed.some(({ id }) => id === connection.id)) await this.#records.delete(connection.id);
    // Last: until the mark is there, the earlier list counts, which is left as it was.
    if (isFirst) await this.#records.write(versionName, JSON.stringify({ version }));
  }

  #readEarlier(): readonly StoredRecord[] {
    return this.#earlierItems().flatMap((item, at) => {
      const decoded = v.safeParse(ConnectionRecordSchema, item);
      return decoded.success ? [{ position: at + 1, connection: decoded.output }] : [];
    });
  }

  async #keepDamagedOfEarlier(): Promise<void> {
    for (const [at, item] of this.#earlierItems().entries()) {
      if (v.is(ConnectionRecordSchema, item)) continue;
      const name = `earlier-${at}`;
      await this.#records.write(name, JSON.stringify(item));
      this.#setAside(name);
    }
  }

  #earlierItems(): readonly unknown[] {
    const stored = this.#earlier.get(earlierEntry);
    if (stored === undefined) return [];
    return Array.isArray(stored) ? stored : [stored];
  }

  #setAside(name: string): void {
    const path = this.#records.setAside(name);
    if (path !== undefined) this.#onDidSetAside(path);
  }
}
