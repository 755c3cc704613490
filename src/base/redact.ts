// An API key must never be read off a log, a report or a screen.

const bearer = /(\bBearer\s+)[^\s"',;]+/gi;
const prefixedKey = /\b([a-z][a-z0-9]*_sk_)([A-Za-z0-9_-]{1,4})?[A-Za-z0-9_-]*/g;

/** Masks a key for showing: its prefix and the first four characters after it, then an ellipsis. */
export function maskKey(key: string, prefix: string): string {
  const shown = key.startsWith(prefix) ? key.slice(0, prefix.length + 4) : key.slice(0, 4);
  return `${shown}…`;
}

/** Replaces whatever looks like an API key or a bearer token in a text, and the given secrets wherever they stand. */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= 8) result = result.replaceAll(secret, '[redacted key]');
  }
  return result
    .replace(bearer, '$1[redacted]')
    .replace(prefixedKey, (_match, prefix: string, start = '') => `${prefix}${String(start)}…`);
}
