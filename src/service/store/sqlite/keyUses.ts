// Uses of API keys are counted in memory and written together, so that a read needs no write.
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { toTimestamp } from '../../../base/time.ts';
import type { ApiKeyJson } from '../../../protocol/records.ts';
import type { SqliteDatabase } from './database.ts';

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

  /** The record with the uses that are not written yet. */
  addTo(key: ApiKeyJson): ApiKeyJson {
    const uses = this.#unwritten.get(key.id);
    if (!uses) return key;
    return { ...key, lastUsedAt: uses.lastUsedAt, requestCount: key.requestCount + uses.count };
  }

  /** Writes what is left. */
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

  /** False when they could not be written; they stay for the next time. */
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
