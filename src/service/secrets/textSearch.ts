// Finds many texts at once, in a time that grows only with the searched text, whatever the texts are.
import type { DecodedText } from './decodedText.ts';

/** The units by which texts are distinguished first; more would cost without helping. */
const longestWindow = 32;
const bitsPerNeedle = 16;
const fewestBits = 12;
const mostBits = 24;

/** Of the hashes: polynomials whose sums wrap at 32 bits. Two of them together identify a text. */
const base = 0x01000193;
const otherBase = 0x85ebca6b | 0;
/** Spreads a hash over its upper bits. */
const spread = 0x9e3779b1 | 0;

interface IndexedNeedle<N> {
  readonly needle: N;
  readonly length: number;
  readonly hash: number;
  readonly otherHash: number;
  /** The bases to the power of the length. */
  readonly power: number;
  readonly otherPower: number;
}

/** After Rabin and Karp: a text is identified by its hashes, so one that shares much with another costs no more than any other. */
export class TextSearch<N extends { readonly text: string }> {
  readonly #window: number;
  readonly #bits: number;
  /** A bit for each window that may begin a needle. */
  readonly #filter: Int32Array;
  readonly #byWindow = new Map<number, IndexedNeedle<N>[]>();

  /** Each needle has at least one unit. */
  constructor(needles: readonly N[]) {
    this.#window = needles.reduce((least, { text }) => Math.min(least, text.length), longestWindow);
    const wanted = Math.ceil(Math.log2(needles.length * bitsPerNeedle));
    this.#bits = Math.min(Math.max(wanted, fewestBits), mostBits);
    this.#filter = new Int32Array(2 ** (this.#bits - 5));
    for (const needle of needles) this.#add(needle);
  }

  /** Calls `found` with the place of each needle in the text, in order, also of those that overlap. */
  search({ units, length }: DecodedText, found: (needle: N, start: number) => void): void {
    const window = this.#window;
    if (length < window) return;
    const shift = 32 - this.#bits;
    const filter = this.#filter;
    const leaving = powerOf(base, window);
    let hashes: Hashes | undefined;
    let hash = 0;
    for (let index = 0; index < length; index += 1) {
      hash = (Math.imul(hash, base) + (units[index] ?? 0)) | 0;
      if (index < window - 1) continue;
      const start = index - window + 1;
      if (start > 0) hash = (hash - Math.imul(units[start - 1] ?? 0, leaving)) | 0;
      const slot = Math.imul(hash, spread) >>> shift;
      if (((filter[slot >>> 5] ?? 0) & (1 << (slot & 31))) === 0) continue;
      const known = this.#byWindow.get(hash);
      if (!known) continue;
      hashes ??= new Hashes(units, length);
      for (const each of known) if (hashes.has(each, start)) found(each.needle, start);
    }
  }

  #add(needle: N): void {
    const { text } = needle;
    const { length } = text;
    const window = hashOf(text, base, this.#window);
    const slot = Math.imul(window, spread) >>> (32 - this.#bits);
    this.#filter[slot >>> 5] = (this.#filter[slot >>> 5] ?? 0) | (1 << (slot & 31));
    const known: IndexedNeedle<N> = {
      needle,
      length,
      hash: hashOf(text, base, length),
      otherHash: hashOf(text, otherBase, length),
      power: powerOf(base, length),
      otherPower: powerOf(otherBase, length),
    };
    const others = this.#byWindow.get(window);
    if (others) others.push(known);
    else this.#byWindow.set(window, [known]);
  }
}

/** The hashes of all beginnings of a text, from which those of each part follow. */
class Hashes {
  readonly #length: number;
  readonly #hashes: Int32Array;
  readonly #others: Int32Array;

  constructor(units: Uint16Array, length: number) {
    this.#length = length;
    this.#hashes = new Int32Array(length + 1);
    this.#others = new Int32Array(length + 1);
    let hash = 0;
    let other = 0;
    for (let index = 0; index < length; index += 1) {
      const unit = units[index] ?? 0;
      hash = (Math.imul(hash, base) + unit) | 0;
      other = (Math.imul(other, otherBase) + unit) | 0;
      this.#hashes[index + 1] = hash;
      this.#others[index + 1] = other;
    }
  }

  has({ length, hash, otherHash, power, otherPower }: IndexedNeedle<unknown>, start: number): boolean {
    const end = start + length;
    return (
      end <= this.#length &&
      partOf(this.#hashes, start, end, power) === hash &&
      partOf(this.#others, start, end, otherPower) === otherHash
    );
  }
}

function partOf(hashes: Int32Array, start: number, end: number, power: number): number {
  return ((hashes[end] ?? 0) - Math.imul(hashes[start] ?? 0, power)) | 0;
}

function hashOf(text: string, by: number, length: number): number {
  let hash = 0;
  for (let index = 0; index < length; index += 1) hash = (Math.imul(hash, by) + text.charCodeAt(index)) | 0;
  return hash;
}

function powerOf(by: number, exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count += 1) power = Math.imul(power, by);
  return power;
}
