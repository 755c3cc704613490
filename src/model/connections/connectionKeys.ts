// Keeps each key together with the origin it was given for, so that no other origin is ever sent it.
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';
import type { Clock, SecretPort } from '../ports.ts';
import type { Connection } from '../../domain/connection.ts';
import { createPatientSecrets } from './patientSecrets.ts';

const SecretSchema = v.object({ origin: v.string(), key: v.string() });

/** The stored keys, read and written per connection. Each call rejects with a ServiceError "secretStorage" within 10 s. */
export interface ConnectionKeys {
  /** undefined when there is none, or when it belongs to another origin than the record's. */
  read(connection: Connection): Promise<string | undefined>;
  write(connection: Connection, key: string): Promise<void>;
  /** Binds the held key, whatever its origin was, to the record's. */
  rebind(connection: Connection): Promise<void>;
  delete(connectionId: string): Promise<void>;
}

/** Keys in the secret port, as JSON `{origin, key}`. */
export function createConnectionKeys(storage: SecretPort, clock: Pick<Clock, 'schedule'>): ConnectionKeys {
  const secrets = createPatientSecrets(storage, clock);
  const readSecret = async (
    connectionId: string,
  ): Promise<v.InferOutput<typeof SecretSchema> | undefined> => {
    const decoded = v.safeParse(SecretSchema, parseJson((await secrets.get(connectionId)) ?? ''));
    return decoded.success ? decoded.output : undefined;
  };
  const write = (connection: Connection, key: string): Promise<void> =>
    secrets.set(connection.id, JSON.stringify({ origin: new URL(connection.baseUrl).origin, key }));
  return Object.freeze({
    async read(connection: Connection) {
      const secret = await readSecret(connection.id);
      return secret?.origin === new URL(connection.baseUrl).origin ? secret.key : undefined;
    },
    write,
    async rebind(connection: Connection) {
      const secret = await readSecret(connection.id);
      if (secret) await write(connection, secret.key);
    },
    delete: (connectionId: string) => secrets.delete(connectionId),
  });
}
