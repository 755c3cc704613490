// A text as others may have written it: with percent-encoding, as in a URL, or with the escapes of a string, as in JSON.

/** A text, and where each of its UTF-16 units comes from in the original. */
export interface View {
  readonly text: string;
  /** Returns the place in the original, also for the end of the text. */
  readonly at: (index: number) => number;
}

/** A value is found in JSON inside of JSON, or a URL inside of a URL, but no deeper. */
const maximumDepth = 2;

/** Yields the text itself first, then what it is without each encoding that it may have. */
export function* viewsOf(text: string): Generator<View> {
  let level: readonly View[] = [{ text, at: (index) => index }];
  yield* level;
  for (let depth = 0; depth < maximumDepth && level.length > 0; depth += 1) {
    level = level.flatMap((view) => [...decode(view, '%', percents), ...decode(view, '\\', escapes)]);
    yield* level;
  }
}

/** What a part of a text stands for: each character, and the length of what it's written as. */
type Decode = (part: string) => readonly (readonly [character: string, length: number])[];
interface Encoding {
  readonly parts: RegExp;
  readonly decode: Decode;
}

/** Bytes in a row can be a character together. */
const percents: Encoding = { parts: /(?:%[0-9A-Fa-f]{2})+/g, decode: decodePercents };

const escapes: Encoding = {
  parts: /\\(?:u[0-9A-Fa-f]{4}|[^u])/g,
  decode: (part) => [[unescape(part.slice(1)), part.length]],
};

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescape(escape: string): string {
  return escape.length > 1
    ? String.fromCharCode(parseInt(escape.slice(1), 16))
    : (controls[escape] ?? escape);
}

function decodePercents(part: string): readonly (readonly [string, number])[] {
  try {
    return Array.from(decodeURIComponent(part), (character) => [character, 3 * Buffer.byteLength(character)]);
  } catch {
    // Bytes of another encoding than UTF-8: each of them may still be a character.
    return (part.match(/.{3}/g) ?? []).map((byte) => [String.fromCharCode(parseInt(byte.slice(1), 16)), 3]);
  }
}

/** Returns no view when nothing is encoded so. */
function decode({ text, at }: View, sign: string, { parts, decode }: Encoding): readonly View[] {
  if (!text.includes(sign)) return [];
  let decoded = '';
  /** Where each unit of the decoded text comes from, once something was decoded. */
  const origins: number[] = [];
  let rest = 0;
  const add = (characters: string, from: number, step: number): void => {
    for (let index = 0; index < characters.length; index += 1) origins.push(at(from + index * step));
    decoded += characters;
  };
  for (const { 0: part, index } of text.matchAll(parts)) {
    add(text.slice(rest, index), rest, 1);
    let from = index;
    for (const [character, length] of decode(part)) {
      add(character, from, 0);
      from += length;
    }
    rest = index + part.length;
  }
  if (rest === 0) return [];
  add(text.slice(rest), rest, 1);
  const end = at(text.length);
  return [{ text: decoded, at: (index) => origins[index] ?? end }];
}
