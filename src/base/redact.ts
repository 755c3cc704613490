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
