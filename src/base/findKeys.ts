import { maskKey } from './redact.ts';

/** A place in a text, in UTF-16 units. */
export interface FoundKey {
  readonly offset: number;
  readonly length: number;
}

/** A text with more keys is a list of samples or a minified file, so the first ones are enough. */
const maximumFound = 100;

/** Finds the prefix followed by at least 16 key characters, except inside a longer word. Runs on every opened text. Returns at most 100 places. */
export function findKeys(text: string, prefix: string): readonly FoundKey[] {
  // Most texts contain no key, and a plain search is far cheaper than the expression.
  if (prefix === '' || !text.includes(prefix)) return [];
  const expression = keyExpression(prefix);
  const found: FoundKey[] = [];
  for (const match of text.matchAll(expression)) {
    found.push({ offset: match.index, length: match[0].length });
    if (found.length === maximumFound) break;
  }
  return found;
}

/** Masked as well, whatever prefix the setting names. */
const standardPrefix = 'svc_sk_';

/** Returns the text with every key shortened to its prefix and four characters. */
export function maskKeys(text: string, prefix: string): string {
  let masked = text;
  for (const each of new Set([prefix, standardPrefix]))
    if (each !== '' && masked.includes(each))
      masked = masked.replace(keyExpression(each), (key) => maskKey(key, each));
  return masked;
}

/** True if the text contains a key that `maskKeys` masked. */
export function hasMaskedKeys(text: string, prefix: string): boolean {
  return [prefix, standardPrefix].some(
    (each) => each !== '' && new RegExp(`${escapeExpression(each)}[A-Za-z0-9_-]{4}…`).test(text),
  );
}

/** A letter before a key makes it part of a longer word, unless the letter ends an escape such as \\n. */
function keyExpression(prefix: string): RegExp {
  const before = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\(?:[bfnrt]|u[0-9A-Fa-f]{4})))`;
  return new RegExp(`${before}${escapeExpression(prefix)}[A-Za-z0-9_-]{16,}`, 'g');
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
