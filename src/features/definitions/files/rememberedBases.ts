// What edited documents rest on, beyond a restart of the editor.
import * as v from 'valibot';
import { hashText } from '../../../base/hashText.ts';
import { equalJson, isJsonObject, parseJson, stringifyJson } from '../../../base/json.ts';
import { maskKeys } from '../../../base/masking.ts';
import type { Clock } from '../../../base/time.ts';
import type { RecordPort } from '../../../model/ports.ts';
import type { FileContent } from './definitionFile.ts';

const maximumRecords = 100;
/** In UTF-16 units: of all records. */
const maximumTotal = 8 * 1024 * 1024;
/** Of one document. After a crash, the editor may restore a text that was typed over since. */
const maximumTexts = 100;

const RecordSchema = v.object({
  /** The document's URI. */
  address: v.string(),
  /** Digests of the texts that the document had on this base, the newest first. */
  texts: v.array(v.string()),
  /** Epoch milliseconds. */
  keptAt: v.number(),
  /** JSON, which keeps all digits of numbers. */
  definition: v.string(),
  text: v.string(),
  mtime: v.number(),
  name: v.string(),
  updatedAt: v.nullable(v.number()),
});

interface StoredBase {
  readonly recordName: string;
  readonly address: string;
  readonly texts: readonly string[];
  readonly keptAt: number;
  readonly length: number;
  readonly base: FileContent;
}

/** The record of a document of this window. */
interface OwnRecord {
  readonly name: string;
  readonly base: FileContent;
  readonly texts: readonly string[];
}

interface Options {
  readonly records: RecordPort;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the current prefix of keys. */
  readonly keyPrefix: () => string;
}

/**
 * Stores what a document rests on: what was last read or saved. Windows can share the folder and have the same document open, so each has a
 * record of its own, and a restored document is known by its text. A base with a key in it isn't stored. The newest 100 records are kept,
 * 8 Mi characters in all. What is lost costs a question before the next save.
 */
export class RememberedBases {
  readonly #records: RecordPort;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keyPrefix: () => string;
  readonly #own = new Map<string, OwnRecord>();

  constructor({ records, clock, keyPrefix }: Options) {
    this.#records = records;
    this.#clock = clock;
    this.#keyPrefix = keyPrefix;
  }

  /** Returns what a restored document with this text rests on; undefined if that isn't certain. */
  find(address: string, text: string): FileContent | undefined {
    const digest = digestOf(text);
    const [found, ...others] = this.#read().filter(
      (stored) => stored.address === address && stored.texts.includes(digest),
    );
    if (found === undefined) return undefined;
    const { recordName: name, base, texts } = found;
    if (others.some((other) => !equalJson(other.base.definition, base.definition))) return undefined;
    this.#own.set(address, { name, base, texts });
    return base;
  }

  /** Stores that a document with these texts rests on the base. */
  async keep(address: string, base: FileContent, ...texts: readonly string[]): Promise<void> {
    const own = this.#own.get(address);
    const earlier = own?.base === base ? own.texts : [];
    const all = [...new Set([...texts.map(digestOf), ...earlier])].slice(0, maximumTexts);
    if (equalJson(all, earlier)) return;
    const name = own?.name ?? `base-${crypto.randomUUID()}`;
    this.#own.set(address, { name, base, texts: all });
    await this.#records.exclusively(async () => {
      if (this.#hasKey(base)) {
        await this.#records.delete(name);
        return;
      }
      await this.#records.write(
        name,
        stringifyJson({
          ...base,
          definition: stringifyJson(base.definition),
          address,
          texts: all,
          keptAt: this.#clock.now(),
        }),
      );
      if (own?.base !== base) await this.#deleteOldest();
    });
  }

  /** Forgets the document of this window. */
  async forget(address: string): Promise<void> {
    const own = this.#own.get(address);
    if (own === undefined) return;
    this.#own.delete(address);
    await this.#records.exclusively(() => this.#records.delete(own.name));
  }

  /** Forgets documents, in whichever window they are. */
  async forgetAll(isGone: (address: string) => boolean): Promise<void> {
    for (const address of this.#own.keys()) if (isGone(address)) this.#own.delete(address);
    await this.#records.exclusively(async () => {
      for (const { address, recordName } of this.#read())
        if (isGone(address)) await this.#records.delete(recordName);
    });
  }

  #hasKey({ definition, text }: FileContent): boolean {
    return [stringifyJson(definition), text].some((each) => maskKeys(each, this.#keyPrefix()) !== each);
  }

  #read(): readonly StoredBase[] {
    return [...this.#records.read()].flatMap(([name, text]) => decode(name, text) ?? []);
  }

  async #deleteOldest(): Promise<void> {
    const kept = new Set<string>();
    let total = 0;
    for (const { recordName, length } of this.#read().toSorted((one, other) => other.keptAt - one.keptAt)) {
      if (kept.size === maximumRecords || total + length > maximumTotal) continue;
      kept.add(recordName);
      total += length;
    }
    for (const name of this.#records.read().keys()) if (!kept.has(name)) await this.#records.delete(name);
  }
}

function decode(recordName: string, text: string): StoredBase | undefined {
  const stored = v.safeParse(RecordSchema, parseJson(text));
  if (!stored.success) return undefined;
  const { address, texts, keptAt, definition, ...shown } = stored.output;
  const value = parseJson(definition);
  if (!isJsonObject(value)) return undefined;
  return { recordName, address, texts, keptAt, length: text.length, base: { definition: value, ...shown } };
}

/** Of two different texts of one document it's the same once in 2^52 times, if they're as long as each other. */
function digestOf(text: string): string {
  return `${hashText(text).toString(36)}-${text.length}`;
}
