// Stores the SHA-256 and a preview of each API key, never the key itself.
import { randomBytes } from 'node:crypto';
import { oneAtATime } from '../../base/async.ts';
import type { Logger } from '../../base/logger.ts';
import { maskKey } from '../../base/masking.ts';
import { toTimestamp } from '../../base/time.ts';
import { type KeyExpiration, keyExpirations } from '../../domain/apiKey.ts';
import type { ApiKeyJson, CreatedApiKeyJson } from '../../protocol/records.ts';
import { createId, hashOf } from '../ids.ts';
import type { SqlRow, SqlDatabase } from './database.ts';
import { integer, nullableText, text, word } from './rows.ts';

const keyPrefix = 'svc_sk_';
/** A text in another form isn't a key, so the database needn't be asked. */
const keyForm = new RegExp(`^${keyPrefix}[\\w-]{32}$`);
const dayMs = 24 * 60 * 60 * 1000;
const lifetimeMs: Readonly<Record<KeyExpiration, number | null>> = {
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
  never: null,
};
/** Uses of keys are written after this time, so that a request doesn't write. */
const writeAfterMs = 1000;

interface Uses {
  readonly count: number;
  readonly lastUsedAt: string;
}

export class KeyStore {
  readonly #database: SqlDatabase;
  readonly #logger: Logger;
  /** By key id. */
  readonly #unwrittenUses = new Map<string, Uses>();
  #timer: NodeJS.Timeout | undefined;
  /** Each write adds all uses that aren't written yet. */
  readonly #inTurn = oneAtATime();

  constructor(database: SqlDatabase, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** The only call that returns the key itself. */
  async create(name: string, expiration: KeyExpiration): Promise<CreatedApiKeyJson> {
    const key = keyPrefix + randomBytes(24).toString('base64url');
    const id = createId('key');
    const now = this.#database.now();
    const lifetime = lifetimeMs[expiration];
    const row = await this.#database.get(
      `INSERT INTO api_keys (id, name, hash, preview, expiration, expires_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      id,
      name,
      hashOf(key, 'hex'),
      maskKey(key, keyPrefix),
      expiration,
      lifetime === null ? null : toTimestamp(now + lifetime),
      toTimestamp(now),
    );
    if (!row) throw new Error('The API key could not be stored.');
    return { ...toApiKey(row), key };
  }

  /** Newest first. */
  async list(): Promise<readonly ApiKeyJson[]> {
    const rows = await this.#database.all('SELECT * FROM api_keys ORDER BY position DESC');
    return rows.map((row) => this.#withUses(toApiKey(row)));
  }

  /** Announces the topic `keys`. Returns false when there's no such key. Revoking a key again changes nothing. */
  revoke(id: string): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const changes = await transaction.run(
        'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?',
        this.#database.timestamp(),
        id,
      );
      if (changes > 0) transaction.announce('keys');
      return changes > 0;
    });
  }

  async get(id: string): Promise<ApiKeyJson | undefined> {
    const row = await this.#database.get('SELECT * FROM api_keys WHERE id = ?', id);
    return row && toApiKey(row);
  }

  async find(key: string): Promise<ApiKeyJson | undefined> {
    if (!keyForm.test(key)) return undefined;
    const row = await this.#database.get('SELECT * FROM api_keys WHERE hash = ?', hashOf(key, 'hex'));
    return row && toApiKey(row);
  }

  /** Counts an accepted request. Doesn't write immediately: lists show the use at once, the file a little later. */
  recordUse(id: string): void {
    const count = (this.#unwrittenUses.get(id)?.count ?? 0) + 1;
    this.#unwrittenUses.set(id, { count, lastUsedAt: this.#database.timestamp() });
    this.#writeUsesSoon();
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writeUses();
  }

  /** Returns the record including the uses that aren't written yet. */
  #withUses(key: ApiKeyJson): ApiKeyJson {
    const uses = this.#unwrittenUses.get(key.id);
    if (!uses) return key;
    return { ...key, lastUsedAt: uses.lastUsedAt, requestCount: key.requestCount + uses.count };
  }

  #writeUsesSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#writeUses().then((isDone) => {
        if (!isDone) this.#writeUsesSoon();
      });
    }, writeAfterMs).unref();
  }

  #writeUses(): Promise<boolean> {
    return this.#inTurn(() => this.#writeNow());
  }

  /** Returns false when the write failed; the uses are kept for the next one. */
  async #writeNow(): Promise<boolean> {
    const uses = new Map(this.#unwrittenUses);
    if (uses.size === 0) return true;
    try {
      await this.#database.transaction(async (transaction) => {
        // In the order of their ids, so that two processes never wait for each other.
        for (const [id, { count, lastUsedAt }] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1)))
          await transaction.run(
            'UPDATE api_keys SET last_used_at = ?, request_count = request_count + ? WHERE id = ?',
            lastUsedAt,
            count,
            id,
          );
      });
    } catch (error) {
      this.#logger.error('The request counts of API keys could not be stored yet.', error);
      return false;
    }
    for (const [id, { count }] of uses) this.#forget(id, count);
    return true;
  }

  #forget(id: string, written: number): void {
    const uses = this.#unwrittenUses.get(id);
    if (uses && uses.count > written) this.#unwrittenUses.set(id, { ...uses, count: uses.count - written });
    else this.#unwrittenUses.delete(id);
  }
}

function toApiKey(row: SqlRow): ApiKeyJson {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    preview: text(row, 'preview'),
    expiration: word(row, 'expiration', keyExpirations),
    expiresAt: nullableText(row, 'expires_at'),
    createdAt: text(row, 'created_at'),
    lastUsedAt: nullableText(row, 'last_used_at'),
    requestCount: integer(row, 'request_count'),
    revokedAt: nullableText(row, 'revoked_at'),
  };
}
