// Why: what is remembered of a connection (never its key), and how stored records are read back.
import * as v from 'valibot';
import { keyExpirations } from '../../protocol/records.ts';
import { decodeStoredList } from '../storedList.ts';

const ConnectionRecordSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
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
export type ConnectionRecord = Readonly<v.InferOutput<typeof ConnectionRecordSchema>>;

/** Reads stored records; one that cannot be read is left out and does not cost the others. */
export function decodeConnectionRecords(stored: unknown): readonly ConnectionRecord[] {
  return decodeStoredList(stored, ConnectionRecordSchema);
}
