import { type IndexedPart, maximumParts } from './searchIndex.ts';

/** The length of a part, in UTF-16 units. */
const partUnits = 32 * 1024;
/** What each part of a longer text has of the one before, so that every text that is searched for is whole in one. */
const overlapUnits = 400;

/** How much of a record was added. */
export interface Addition {
  readonly units: number;
  readonly isWhole: boolean;
  /** How many of the parts of a large record are in the index. */
  readonly parts: number;
}

/** Makes the parts of an execution: the texts of small records together, those of a large one in parts of their own. */
export class PartWriter {
  /** Those that were made. */
  readonly parts: IndexedPart[] = [];
  readonly #position: number;
  readonly #known = new Set<string>();
  #lines: string[] = [];
  #length = 0;
  #count: number;

  /** `count`: how many parts the execution has. */
  constructor(position: number, count: number) {
    this.#position = position;
    this.#count = count;
  }

  /** How many parts the execution has with these. */
  get count(): number {
    return this.#count;
  }

  /** Adds the texts of a record; of a large one no more parts than have about so many units, after the first `skipped`. */
  add(texts: readonly string[], skipped: number, units: number): Addition {
    if (lengthOf(texts) > partUnits) return this.#addParts(texts, skipped, units);
    const added = texts.filter((text) => !this.#known.has(text));
    const length = lengthOf(added);
    if (this.#length + length > partUnits) this.flush();
    for (const text of added) this.#known.add(text);
    this.#lines.push(...added);
    this.#length += length;
    return { units: length, isWhole: true, parts: 0 };
  }

  flush(): void {
    if (this.#lines.length > 0) this.#write(this.#lines.join('\n'));
    this.#lines = [];
    this.#length = 0;
  }

  #addParts(texts: readonly string[], skipped: number, units: number): Addition {
    this.flush();
    let added = 0;
    let at = 0;
    for (const part of partsOf(texts)) {
      if (added > units) return { units: added, isWhole: false, parts: at };
      at += 1;
      if (at <= skipped) continue;
      this.#write(part);
      added += part.length;
    }
    return { units: added, isWhole: true, parts: at };
  }

  #write(text: string): void {
    // Of more than 2 GiB of values, the rest isn't found.
    if (this.#count === maximumParts) return;
    this.parts.push({ position: this.#position, part: this.#count, text });
    this.#count += 1;
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length + 1, 0);
}

/** Cuts the texts always in the same places. */
function* partsOf(texts: readonly string[]): Generator<string> {
  let lines: string[] = [];
  let length = 0;
  for (const text of texts)
    for (
      let start = 0;
      start === 0 || start + overlapUnits < text.length;
      start += partUnits - overlapUnits
    ) {
      const piece = text.slice(start, start + partUnits);
      if (length + piece.length > partUnits) {
        yield lines.join('\n');
        lines = [];
        length = 0;
      }
      lines.push(piece);
      length += piece.length;
    }
  yield lines.join('\n');
}
