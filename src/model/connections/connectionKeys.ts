// Stores each key with the origin it was given for, so that it's never sent to another origin.
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { parseJson } from '../../base/json.ts';
import type { Connection } from '../../domain/connection.ts';
import { ServiceError, type ServiceErrorReason } from '../../domain/errors.ts';
import type { SecretPort } from '../ports.ts';
import type { Clock } from '../../base/time.ts';

const SecretSchema = v.object({ origin: v.string(), key: v.string() });
type Secret = v.InferOutput<typeof SecretSchema>;

type Operation = (ServiceErrorReason & { readonly kind: 'secretStorage' })['operation'];

/** The maximum time for a call of the secret storage. */
const timeoutMs = 10_000;

/**
 * The stored keys, as JSON `{origin, key}` in the secret port. An editor's secret storage may fail or hang, for example behind a locked
 * keyring. A call then rejects with a ServiceError "secretStorage", within 10 s.
 */
export class ConnectionKeys {
  readonly #storage: SecretPort;
  readonly #clock: Pick<Clock, 'schedule'>;

  constructor(storage: SecretPort, clock: Pick<Clock, 'schedule'>) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Returns undefined when there is no key, or when it belongs to another origin than the connection's. */
  async read(connection: Connection): Promise<string | undefined> {
    const secret = await this.#readSecret(connection.id);
    return secret?.origin === new URL(connection.baseUrl).origin ? secret.key : undefined;
  }

  write({ id, baseUrl }: Connection, key: string): Promise<void> {
    const secret: Secret = { origin: new URL(baseUrl).origin, key };
    return this.#within(id, 'store', async () => this.#storage.set(id, JSON.stringify(secret)));
  }

  /** Binds the stored key to the connection's origin, whatever its origin was. */
  async rebind(connection: Connection): Promise<void> {
    const secret = await this.#readSecret(connection.id);
    if (secret) await this.write(connection, secret.key);
  }

  delete(connectionId: string): Promise<void> {
    return this.#within(connectionId, 'delete', async () => this.#storage.delete(connectionId));
  }

  async #readSecret(connectionId: string): Promise<Secret | undefined> {
    const text = await this.#within(connectionId, 'read', async () => this.#storage.get(connectionId));
    const decoded = v.safeParse(SecretSchema, parseJson(text ?? ''));
    return decoded.success ? decoded.output : undefined;
  }

  #within<T>(connectionId: string, operation: Operation, call: () => Promise<T>): Promise<T> {
    let timer: Disposable | undefined;
    const fail = (cause: 'failed' | 'silent', error?: unknown): ServiceError =>
      createFailure(operation, cause, error).ofConnection(connectionId);
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = this.#clock.schedule(() => reject(fail('silent')), timeoutMs);
    });
    const answer = call().catch((error: unknown) => {
      throw fail('failed', error);
    });
    return Promise.race([answer, timeout]).finally(() => timer?.dispose());
  }
}

function createFailure(operation: Operation, cause: 'failed' | 'silent', error: unknown): ServiceError {
  const words = cause === 'silent' ? 'did not answer in time' : 'failed';
  return new ServiceError(
    { kind: 'secretStorage', operation, cause },
    `The secret storage ${words} (${operation}).`,
    { cause: error },
  );
}
