// Stores secrets in their encrypted form. Nothing here knows a value.
import type { SecretJson } from '../../protocol/records.ts';
import { createId } from '../ids.ts';
import type { SqlRow, SqlDatabase, Transaction } from './database.ts';
import { text } from './rows.ts';

export interface EncryptedSecret {
  /** The salt that the key was derived with. */
  readonly salt: string;
  /** Of the key that encrypted it. */
  readonly keyId: string;
  /** base64url. */
  readonly value: string;
  /** If it's changed without the key, the value can't be read. */
  readonly origins: readonly string[];
}

export interface StoredSecret extends EncryptedSecret {
  readonly name: string;
  readonly updatedAt: string;
  /** A new one after each change. */
  readonly revision: string;
}

export class SecretStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** The revisions by name. */
  async listRevisions(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#database.all('SELECT name, revision FROM secrets');
    return new Map(rows.map((row) => [text(row, 'name'), text(row, 'revision')]));
  }

  /** Ordered by name. */
  async list(): Promise<readonly StoredSecret[]> {
    return (await this.#database.all('SELECT * FROM secrets')).map(toSecret).sort(byName);
  }

  async get(name: string): Promise<StoredSecret | undefined> {
    const row = await this.#database.get('SELECT * FROM secrets WHERE name = ?', name);
    return row && toSecret(row);
  }

  /** Replaces one of the same name, and announces the topic `secrets`. */
  set(name: string, secret: EncryptedSecret): Promise<SecretJson> {
    return this.#database.transaction(async (transaction) => {
      const updatedAt = this.#database.timestamp();
      await transaction.run(
        `INSERT INTO secrets (name, salt, key_id, value, origins, updated_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET salt = excluded.salt, key_id = excluded.key_id, value = excluded.value,
           origins = excluded.origins, updated_at = excluded.updated_at, revision = excluded.revision`,
        name,
        secret.salt,
        secret.keyId,
        secret.value,
        secret.origins.join(' '),
        updatedAt,
        createId('rev'),
      );
      transaction.announce('secrets');
      return toSecretJson({ name, updatedAt, origins: secret.origins });
    });
  }

  /** Stores secrets that were encrypted again, unless they were changed meanwhile. Their dates stay. */
  replace(secrets: readonly StoredSecret[]): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      for (const secret of secrets) await replace(transaction, secret);
      transaction.announce('secrets');
    });
  }

  /** Returns false when there's none of this name. */
  delete(name: string): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const changes = await transaction.run('DELETE FROM secrets WHERE name = ?', name);
      if (changes > 0) transaction.announce('secrets');
      return changes > 0;
    });
  }
}

async function replace(
  transaction: Transaction,
  { name, salt, keyId, value, revision }: StoredSecret,
): Promise<void> {
  await transaction.run(
    'UPDATE secrets SET salt = ?, key_id = ?, value = ?, revision = ? WHERE name = ? AND revision = ?',
    salt,
    keyId,
    value,
    createId('rev'),
    name,
    revision,
  );
}

function toSecret(row: SqlRow): StoredSecret {
  return {
    name: text(row, 'name'),
    updatedAt: text(row, 'updated_at'),
    salt: text(row, 'salt'),
    keyId: text(row, 'key_id'),
    value: text(row, 'value'),
    origins: text(row, 'origins')
      .split(' ')
      .filter((origin) => origin !== ''),
    revision: text(row, 'revision'),
  };
}

/** What is shown of a secret. */
export function toSecretJson({
  name,
  updatedAt,
  origins,
}: Pick<StoredSecret, 'name' | 'updatedAt' | 'origins'>): SecretJson {
  return { name, updatedAt, ...(origins.length > 0 && { origins }) };
}

function byName({ name: one }: StoredSecret, { name: other }: StoredSecret): number {
  return one < other ? -1 : 1;
}
