// A value of any size as JSON of a bounded number of bytes: what has no room is left out, and the place says by which path it's read.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../base/json.ts';
import type { Hide } from '../base/masking.ts';
import { type FieldPath, formatField } from '../base/fieldPath.ts';
import type { SelectedValue } from './valuePath.ts';

export interface BoundedData {
  /** One line of JSON. */
  readonly json: string;
  readonly isWhole: boolean;
}

/** The member in whose place something was left out. */
export const leftOutMember = '$leftOut';

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** The least that a part of a value is worth beginning with. */
const leastPart = 200;
/** A longer path isn't written: it would take the room of what it leads to. */
const longestPath = 300;

/** Writes at most about so many bytes; a few hundred are always written. Every text and name goes through `hide`. */
export function boundData({ value, path, from }: SelectedValue, maximum: number, hide: Hide): BoundedData {
  const writer = new Bounding(hide);
  const bounded = writer.fit(value, maximum, { path, from });
  return { json: stringifyJson(bounded), isWhole: writer.isWhole };
}

/** The size of a value's JSON in bytes; more than the maximum where it's larger than that. */
function sizeInBytes(value: JsonValue, maximum: number): number {
  if (typeof value === 'string') return value.length > maximum ? maximum + 1 : bytesOf(stringifyJson(value));
  if (!isJsonArray(value) && !isJsonObject(value)) return bytesOf(stringifyJson(value));
  let size = 2;
  for (const [name, member] of membersOf(value)) {
    if (size > maximum) break;
    size += 1 + nameSize(name, maximum) + sizeInBytes(member, maximum - size);
  }
  return size;
}

type Named = readonly [name: string | undefined, value: JsonValue];

function* membersOf(value: readonly JsonValue[] | JsonObject): Generator<Named> {
  if (isJsonArray(value)) for (const item of value) yield [undefined, item];
  else for (const name of Object.keys(value)) yield [name, value[name] ?? null];
}

const nameSize = (name: string | undefined, maximum: number): number =>
  name === undefined ? 0 : 1 + sizeInBytes(name, maximum);

interface Place {
  readonly path: FieldPath;
  /** The position of its first member or character. */
  readonly from: number;
}

interface Candidate {
  readonly name: string | undefined;
  readonly value: JsonValue;
  readonly path: FieldPath;
  readonly wholeSize: number;
  /** What stands there if it's left out. */
  readonly mark: JsonValue;
  readonly markSize: number;
}

class Bounding {
  readonly #hide: Hide;
  #isWhole = true;

  constructor(hide: Hide) {
    this.#hide = hide;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  fit(value: JsonValue, maximum: number, place: Place): JsonValue {
    let shown = value;
    if (sizeInBytes(value, maximum) <= maximum) {
      shown = this.#mask(value);
      if (sizeInBytes(shown, maximum) <= maximum) return shown;
    }
    this.#isWhole = false;
    if (typeof shown === 'string') return this.#beginning(this.#hide(shown), maximum, place);
    return isJsonArray(shown) || isJsonObject(shown) ? this.#some(shown, maximum, place) : shown;
  }

  #mask(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#hide(value);
    if (isJsonArray(value)) return value.map((item) => this.#mask(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#hide(name), this.#mask(member)]),
    );
  }

  #beginning(text: string, maximum: number, { path, from }: Place): JsonValue {
    const mark = (length: number) => ({
      [leftOutMember]: {
        begins: text.slice(0, length),
        characters: text.length - length,
        ...this.#pathTo(path, from + length),
      },
    });
    let length = Math.min(text.length, maximum);
    for (;;) {
      const size = sizeInBytes(mark(length), Infinity);
      if (size <= maximum || length === 0) return mark(length);
      length = Math.max(0, Math.min(length - 1, Math.floor((length * maximum) / size) - 1));
    }
  }

  /** As many members as there's room for, small ones whole; what is left is shared by the large ones. */
  #some(value: readonly JsonValue[] | JsonObject, maximum: number, { path, from }: Place): JsonValue {
    const total = isJsonArray(value) ? value.length : Object.keys(value).length;
    const reserved =
      2 + sizeInBytes({ [leftOutMember]: this.#rest(value, total, path, from + total) }, Infinity);
    const candidates: Candidate[] = [];
    let room = maximum - reserved;
    for (const [name, member] of membersOf(value)) {
      const candidate = this.#consider(name, member, maximum, {
        path: [...path, name ?? from + candidates.length],
        from: 0,
      });
      room -= 1 + nameSize(candidate.name, maximum) + Math.min(candidate.wholeSize, candidate.markSize);
      if (room < 0) break;
      candidates.push(candidate);
    }
    const spare = Math.max(0, room);
    const shown = this.#share(candidates, spare);
    const left = total - candidates.length;
    const rest =
      left === 0 ? [] : [[leftOutMember, this.#rest(value, left, path, from + candidates.length)] as const];
    if (isJsonArray(value)) return [...shown, ...rest.map(([name, mark]) => ({ [name]: mark }))];
    const names = candidates.map(({ name = '' }, at) => [name, shown[at] ?? null] as const);
    return Object.fromEntries([...names, ...rest]);
  }

  #consider(name: string | undefined, value: JsonValue, maximum: number, place: Place): Candidate {
    const mark = this.#mark(value, place);
    return {
      name: name === undefined ? undefined : this.#hide(name),
      value,
      path: place.path,
      wholeSize: sizeInBytes(value, maximum),
      mark,
      markSize: sizeInBytes(mark, Infinity),
    };
  }

  /** `spare`: the bytes beyond those that each takes at least. */
  #share(candidates: readonly Candidate[], spare: number): readonly JsonValue[] {
    const shown = new Map<Candidate, JsonValue>();
    let left = spare;
    const bySize = candidates.toSorted((one, other) => one.wholeSize - other.wholeSize);
    for (const [at, candidate] of bySize.entries()) {
      const { value, path, wholeSize, mark, markSize } = candidate;
      const least = Math.min(wholeSize, markSize);
      const given = least + Math.floor(left / (bySize.length - at));
      const isShown = wholeSize <= given || given >= markSize + leastPart;
      const fitted = isShown ? this.fit(value, given, { path, from: 0 }) : mark;
      if (!isShown) this.#isWhole = false;
      shown.set(candidate, fitted);
      left = Math.max(0, left - Math.max(0, sizeInBytes(fitted, Infinity) - least));
    }
    return candidates.map((candidate) => shown.get(candidate) ?? null);
  }

  /** What stands in the place of a value. */
  #mark(value: JsonValue, { path }: Place): JsonValue {
    const count =
      typeof value === 'string'
        ? { characters: value.length }
        : isJsonArray(value)
          ? { items: value.length }
          : { members: isJsonObject(value) ? Object.keys(value).length : 1 };
    return { [leftOutMember]: { ...count, ...this.#pathTo(path) } };
  }

  /** What stands in the place of the last members. */
  #rest(value: readonly JsonValue[] | JsonObject, count: number, path: FieldPath, from: number): JsonObject {
    return { [isJsonArray(value) ? 'items' : 'members']: count, ...this.#pathTo(path, from) };
  }

  #pathTo(path: FieldPath, from?: number): JsonObject {
    const text = this.#hide(formatField(path)) + (from === undefined ? '' : `[${from}:]`);
    return bytesOf(text) > longestPath ? {} : { path: text };
  }
}
