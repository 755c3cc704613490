// Stores the SHA-256 and a preview of each API key, never the key itself.
import { createHash, randomBytes } from 'node:crypto';
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { maskKey } from '../../../base/secrets.ts';
import { toTimestamp } from '../../../base/time.ts';
import { type KeyExpiration, keyExpirations } from '../../../domain/apiKey.ts';
import type { ApiKeyJson } from '../../../protocol/records.ts';
import { createId } from '../../ids.ts';
import type { Row, SqliteDatabase } from './database.ts';
import { integer, nullableText, text, word } from './rows.ts';
import type { KeyStore } from '../store.ts';

const keyPrefix = 'svc_sk_';
const dayMs = 24 * 60 * 60 * 1000;
const lifetimeMs: Readonly<Record<KeyExpiration, number | null>> = {
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
  never: null,
};

export function createKeyStore(database: SqliteDatabase, uses: KeyUses): KeyStore {
  return {
    create: (name, expiration) => {
      const key = keyPrefix + randomBytes(24).toString('base64url');
      const id = createId('key');
      const now = database.now();
      const lifetime = lifetimeMs[expiration];
      const row = database.get(
        `INSERT INTO api_keys (id, name, hash, preview, expiration, expires_at, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
        id,
        name,
        hashOf(key),
        maskKey(key, keyPrefix),
        expiration,
        lifetime === null ? null : toTimestamp(now + lifetime),
        toTimestamp(now),
      );
      if (!row) throw new Error('The API key could not be stored.');
      return Promise.resolve({ ...toApiKey(row), key });
    },
    list: () =>
      Promise.resolve(
        database.all('SELECT * FROM api_keys ORDER BY position DESC').map((row) => uses.addTo(toApiKey(row))),
      ),
    revoke: (id) => {
      const changes = database.run(
        'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?',
        toTimestamp(database.now()),
        id,
      );
      return Promise.resolve(changes > 0);
    },
    find: (key) => {
      const row = database.get('SELECT * FROM api_keys WHERE hash = ?', hashOf(key));
      return Promise.resolve(row && toApiKey(row));
    },
    recordUse: (id) => uses.record(id),
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function toApiKey(row: Row): ApiKeyJson {
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

const writeAfterMs = 1000;

interface Uses {
  readonly count: number;
  readonly lastUsedAt: string;
}

export class KeyUses implements Disposable {
  readonly #database: SqliteDatabase;
  readonly #logger: Logger;
  #unwritten = new Map<string, Uses>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: SqliteDatabase, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  record(id: string): void {
    const count = (this.#unwritten.get(id)?.count ?? 0) + 1;
    this.#unwritten.set(id, { count, lastUsedAt: toTimestamp(this.#database.now()) });
    this.#writeSoon();
  }

  /** Returns the record including the uses that aren't written yet. */
  addTo(key: ApiKeyJson): ApiKeyJson {
    const uses = this.#unwritten.get(key.id);
    if (!uses) return key;
    return { ...key, lastUsedAt: uses.lastUsedAt, requestCount: key.requestCount + uses.count };
  }

  /** Writes the remaining uses. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#write();
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#write()) this.#writeSoon();
    }, writeAfterMs).unref();
  }

  /** Returns false when the write failed; the uses are kept for the next one. */
  #write(): boolean {
    if (this.#unwritten.size === 0) return true;
    try {
      this.#database.transaction(() => {
        for (const [id, { count, lastUsedAt }] of this.#unwritten)
          this.#database.run(
            'UPDATE api_keys SET last_used_at = ?, request_count = request_count + ? WHERE id = ?',
            lastUsedAt,
            count,
            id,
          );
      });
    } catch (error) {
      this.#logger.error('The uses of API keys could not be written yet.', error);
      return false;
    }
    this.#unwritten = new Map();
    return true;
  }
}
