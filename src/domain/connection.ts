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
