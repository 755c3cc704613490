// API keys must never appear in a log, in a report or on the screen.

const bearer = /(\bBearer\s+)[^\s"',;]+/gi;
const prefixedKey = /\b([a-z][a-z0-9]*_sk_)([A-Za-z0-9_-]{1,4})?[A-Za-z0-9_-]*/g;

/** Returns a key in the form that may be shown: its prefix, four more characters and an ellipsis. */
export function maskKey(key: string, prefix: string): string {
  const shown = key.startsWith(prefix) ? key.slice(0, prefix.length + 4) : key.slice(0, 4);
  return `${shown}…`;
}

/** Masks the given secrets and everything that looks like an API key or a bearer token. */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= 8) result = result.replaceAll(secret, '[redacted key]');
  }
  return result
    .replace(bearer, '$1[redacted]')
    .replace(prefixedKey, (_match, prefix: string, start = '') => `${prefix}${String(start)}…`);
}

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
