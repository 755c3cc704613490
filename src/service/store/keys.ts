// API keys as they are kept: never the key, only what recognises it (contract section 2).
import type { ApiKey, CreatedApiKey, KeyExpiration } from '../../protocol/records.ts';

export interface KeyStore {
  /** The only time the key itself is answered. */
  create(name: string, expiration: KeyExpiration): Promise<CreatedApiKey>;
  /** Newest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False when there is none. Revoking twice changes nothing. */
  revoke(id: string): Promise<boolean>;
  find(key: string): Promise<ApiKey | undefined>;
  /** Counts one accepted request. Writes nothing itself: what is counted is in the list at once, and in the file a little later. */
  recordUse(id: string): void;
}
