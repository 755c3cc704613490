// A string inside JSON text: its value, and where each character of it is in the text.
import { stringifyJson } from '../base/json.ts';

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A range of text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export class JsonString {
  /** As far as it can be read: the string may be unfinished, or contain escapes that don't exist. */
  readonly value: string;
  readonly #start: number;
  /** The offset of each UTF-16 unit of the value, and of the end; undefined where nothing is escaped. */
  readonly #offsets: readonly number[] | undefined;

  /** quote: the offset of the opening quotation mark. The string ends at the next one, or else with the line. */
  constructor(text: string, quote: number) {
    this.#start = quote + 1;
    plain.lastIndex = this.#start;
    const [simple = ''] = plain.exec(text) ?? [];
    const isPlain = text.charAt(this.#start + simple.length) !== '\\';
    const { value, offsets } = isPlain
      ? { value: simple, offsets: undefined }
      : readEscaped(text, this.#start);
    this.value = value;
    this.#offsets = offsets;
  }

  /** Without the quotation marks. */
  get span(): TextSpan {
    return this.toSpan({ start: 0, end: this.value.length });
  }

  /** The place in the text of a part of the value. */
  toSpan({ start, end }: TextSpan): TextSpan {
    return { start: this.#offsetOf(start), end: this.#offsetOf(end) };
  }

  /** The index in the value of an offset in the text; within an escape, that of its character. */
  indexOf(offset: number): number {
    if (this.#offsets === undefined) return Math.min(Math.max(0, offset - this.#start), this.value.length);
    const after = this.#offsets.findIndex((each) => each > offset);
    return after === -1 ? this.value.length : Math.max(0, after - 1);
  }

  #offsetOf(index: number): number {
    const within = Math.min(index, this.value.length);
    return this.#offsets === undefined ? this.#start + within : (this.#offsets[within] ?? 0);
  }
}

/** What a string has before its first escape, or before its end. */
const plain = /[^"\\\r\n]*/y;

function readEscaped(
  text: string,
  start: number,
): { readonly value: string; readonly offsets: readonly number[] } {
  const offsets: number[] = [];
  let value = '';
  let at = start;
  while (at < text.length && !/["\r\n]/.test(text.charAt(at))) {
    const { character, length } = readCharacter(text, at);
    offsets.push(at);
    value += character;
    at += length;
  }
  return { value, offsets: [...offsets, at] };
}

function readCharacter(text: string, at: number): { readonly character: string; readonly length: number } {
  if (text.charAt(at) !== '\\') return { character: text.charAt(at), length: 1 };
  const code = /^u([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[1];
  if (code !== undefined) return { character: String.fromCharCode(Number.parseInt(code, 16)), length: 6 };
  const escaped = text.charAt(at + 1);
  if (escaped === '' || escaped === '\r' || escaped === '\n') return { character: '\\', length: 1 };
  return { character: escapes[escaped] ?? escaped, length: 2 };
}

/** Returns the text that stands for this value between the quotation marks of a JSON string. */
export function escapeForJson(value: string): string {
  return stringifyJson(value).slice(1, -1);
}
