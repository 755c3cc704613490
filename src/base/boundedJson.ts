// JSON of values that may be very large: as much of its text as is wanted, and its size. Both cost no more than what is asked for.
import { isExactNumber, isJsonArray, isJsonObject, type JsonValue, stringifyJson } from './json.ts';

/** JSON text, or its beginning. */
export interface BoundedJson {
  readonly text: string;
  readonly isTruncated: boolean;
}

/** Writes at most `maximum` characters. `indent`: as in JSON.stringify; '' writes one line. */
export function writeTruncatedJson(value: JsonValue, maximum: number, indent = ''): BoundedJson {
  const writer = new JsonWriter(maximum, indent);
  writer.write(value, indent === '' ? '' : '\n');
  const { text, isFull } = writer;
  return { text: isFull ? text.slice(0, maximum) : text, isTruncated: isFull };
}

class JsonWriter {
  readonly #maximum: number;
  readonly #indent: string;
  #text = '';

  constructor(maximum: number, indent: string) {
    this.#maximum = maximum;
    this.#indent = indent;
  }

  get text(): string {
    return this.#text;
  }

  get isFull(): boolean {
    return this.#text.length > this.#maximum;
  }

  /** `margin`: what each line of the value begins with, its line end included. */
  write(value: JsonValue, margin: string): void {
    if (typeof value === 'string') this.#text += this.#quote(value);
    else if (isJsonArray(value))
      this.#enclose('[', ']', value, margin, (item, inner) => this.write(item, inner));
    else if (isJsonObject(value))
      this.#enclose('{', '}', Object.keys(value), margin, (name, inner) => {
        this.#text += `${this.#quote(name)}:${this.#indent === '' ? '' : ' '}`;
        this.write(value[name] ?? null, inner);
      });
    else this.#text += stringifyJson(value);
  }

  #enclose<T>(
    open: string,
    close: string,
    members: readonly T[],
    margin: string,
    write: (member: T, margin: string) => void,
  ): void {
    const inner = margin + this.#indent;
    this.#text += open;
    for (const [at, member] of members.entries()) {
      if (this.isFull) return;
      this.#text += at === 0 ? inner : `,${inner}`;
      write(member, inner);
    }
    this.#text += members.length === 0 ? close : margin + close;
  }

  /** One character more than fits is enough to be full. */
  #quote(text: string): string {
    return stringifyJson(text.slice(0, this.#maximum + 1));
  }
}

/** The size of the parts of a value. */
export interface SizeUnits {
  /** Beside its characters. */
  readonly text: number;
  readonly character: number;
  /** A number, a boolean, null or nothing. */
  readonly scalar: number;
  /** A list or an object, beside its members. */
  readonly container: number;
  readonly item: number;
  /** Beside the characters of its name. */
  readonly member: number;
}

/** In characters, approximately. */
export const asJson: SizeUnits = { text: 2, character: 1, scalar: 5, container: 2, item: 1, member: 4 };
/** In bytes: at most about twice the memory of the value. */
export const inMemory: SizeUnits = { text: 24, character: 2, scalar: 8, container: 32, item: 0, member: 16 };

/** Estimates the size of a value. Once it's larger than the maximum, the rest isn't counted. */
export function sizeOf(value: JsonValue | undefined, units: SizeUnits, maximum = Infinity): number {
  if (typeof value === 'string') return units.text + units.character * value.length;
  if (isExactNumber(value)) return units.scalar + units.character * value.rawJSON.length;
  if (typeof value !== 'object' || value === null) return units.scalar;
  let size = units.container;
  if (isJsonArray(value)) {
    for (const item of value) {
      if (size > maximum) break;
      size += units.item + sizeOf(item, units, maximum - size);
    }
    return size;
  }
  for (const name in value) {
    if (size > maximum) break;
    size += units.member + name.length + sizeOf(value[name], units, maximum - size);
  }
  return size;
}
