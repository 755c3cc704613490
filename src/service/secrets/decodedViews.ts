// A text as others may have written it: with percent-encoding, as in a URL, or with the escapes of a string, as in JSON.
import { countBefore } from '../../base/sorted.ts';

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

/** Returns no view when nothing is encoded so. Its size grows with what is encoded, not with the text. */
function decode({ text, at }: View, sign: string, { parts, decode }: Encoding): readonly View[] {
  if (!text.includes(sign)) return [];
  const pieces: string[] = [];
  /** Where each piece begins in the decoded text, and where it comes from. */
  const starts: number[] = [];
  const origins: number[] = [];
  let length = 0;
  const add = (piece: string, origin: number): void => {
    pieces.push(piece);
    starts.push(length);
    origins.push(origin);
    length += piece.length;
  };
  let rest = 0;
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (index > rest) add(text.slice(rest, index), rest);
    let from = index;
    for (const [character, written] of decode(part)) {
      add(character, from);
      from += written;
    }
    rest = index + part.length;
  }
  if (pieces.length === 0) return [];
  add(text.slice(rest), rest);
  const originOf = (index: number): number => {
    const piece = countBefore(starts, (start) => start <= index) - 1;
    return (origins[piece] ?? 0) + index - (starts[piece] ?? 0);
  };
  return [{ text: pieces.join(''), at: (index) => at(originOf(index)) }];
}
