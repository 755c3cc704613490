// API keys as they are kept: never the key, only what recognises it (contract section 2).
import type { ApiKeyJson, CreatedApiKeyJson } from '../../protocol/records.ts';
import type { KeyExpiration } from '../../domain/apiKey.ts';

export interface KeyStore {
  /** The only time the key itself is answered. */
  create(name: string, expiration: KeyExpiration): Promise<CreatedApiKeyJson>;
  /** Newest first. */
  list(): Promise<readonly ApiKeyJson[]>;
  /** False when there is none. Revoking twice changes nothing. */
  revoke(id: string): Promise<boolean>;
  find(key: string): Promise<ApiKeyJson | undefined>;
  /** Counts one accepted request. Writes nothing itself: what is counted is in the list at once, and in the file a little later. */
  recordUse(id: string): void;
}
