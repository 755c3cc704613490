// What is remembered of a connection, never its key.
import * as v from 'valibot';
import { keyExpirations } from './apiKey.ts';

export const ConnectionRecordSchema = v.object({
  /** Names its record, too. */
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,100}$/)),
  name: v.string(),
  /** "local" is the embedded service. */
  kind: v.picklist(['local', 'remote']),
  /** Ends with the version segment, without a slash behind it. */
  baseUrl: v.pipe(v.string(), v.url()),
  /** What the user said the key's lifetime is. */
  expiration: v.exactOptional(v.picklist(keyExpirations)),
  /** ISO 8601: when the key was last set. */
  keySetAt: v.exactOptional(v.string()),
  /** Where the service's own settings for keys are; https. */
  settingsUrl: v.exactOptional(v.string()),
});
/** A named service. Its key lives elsewhere, bound to the base URL's origin. */
export type Connection = Readonly<v.InferOutput<typeof ConnectionRecordSchema>>;

/**
 * True for this machine's own names and addresses: a key may travel unencrypted only to these. hostname: as URL gives it, IPv6 in brackets.
 * Names below "localhost" don't count, since resolvers decide where they lead.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
