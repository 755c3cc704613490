// What in a text looks like an API key; pure, since it runs on whatever a person opens.
import { maskKey } from './redact.ts';

/** A place in a text, in UTF-16 units. */
export interface FoundKey {
  readonly offset: number;
  readonly length: number;
}

/** More than this is a list of samples or a minified file, of which the first say enough. */
const maximumFound = 100;

/** The prefix with at least 16 key characters behind it, not in the middle of a longer word. */
export function findKeys(text: string, prefix: string): readonly FoundKey[] {
  // Most texts hold no key: a plain search is far cheaper than the expression.
  if (prefix === '' || !text.includes(prefix)) return [];
  const expression = keyExpression(prefix);
  const found: FoundKey[] = [];
  for (const match of text.matchAll(expression)) {
    found.push({ offset: match.index, length: match[0].length });
    if (found.length === maximumFound) break;
  }
  return found;
}

/** What keys start with, whatever the setting says. */
const standardPrefix = 'svc_sk_';

/** The text with every key masked, as it is shown: the prefix and four characters. The same text where there is none. */
export function maskKeys(text: string, prefix: string): string {
  let masked = text;
  for (const each of new Set([prefix, standardPrefix]))
    if (each !== '' && masked.includes(each))
      masked = masked.replace(keyExpression(each), (key) => maskKey(key, each));
  return masked;
}

/** True where a key was masked. */
export function hasMaskedKeys(text: string, prefix: string): boolean {
  return [prefix, standardPrefix].some(
    (each) => each !== '' && new RegExp(`${escapeExpression(each)}[A-Za-z0-9_-]{4}…`).test(text),
  );
}

/** A letter before a key makes it a part of a longer word, unless it ends an escape such as \\n. */
function keyExpression(prefix: string): RegExp {
  const before = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\(?:[bfnrt]|u[0-9A-Fa-f]{4})))`;
  return new RegExp(`${before}${escapeExpression(prefix)}[A-Za-z0-9_-]{16,}`, 'g');
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
