// Stores the secrets of each connection with the origin they were given for, so that they're never sent to another origin.
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { parseJson, stringifyJson } from '../../base/json.ts';
import { registerSecretForMasking } from '../../base/masking.ts';
import type { Connection } from '../../domain/connection.ts';
import { ServiceError, type ServiceErrorReason } from '../../domain/errors.ts';
import type { SecretPort } from '../ports.ts';
import type { ConnectionSecrets } from './connectionChecks.ts';
import type { Clock } from '../../base/time.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

const SecretSchema = v.object({
  origin: v.string(),
  key: v.string(),
  /** For the service's MCP server. */
  mcpToken: v.exactOptional(v.string()),
});
type Secret = v.InferOutput<typeof SecretSchema>;

type Operation = (ServiceErrorReason & { readonly kind: 'secretStorage' })['operation'];

/** The maximum time for a call of the secret storage. */
const timeoutMs = 10_000;

/**
 * The stored secrets, as JSON `{origin, key, mcpToken?}` in the secret port. Those that no prefix marks are masked from when they're first
 * read or stored. An editor's secret storage may fail or hang, for example behind a locked
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
    return (await this.#readOwn(connection))?.key;
  }

  /** Returns undefined when there is no token, or when it belongs to another origin than the connection's. */
  async readMcpToken(connection: Connection): Promise<string | undefined> {
    return (await this.#readOwn(connection))?.mcpToken;
  }

  /** Replaces what is given and keeps the rest, if it belongs to the connection's origin. */
  async write(connection: Connection, { apiKey: key, ...others }: ConnectionSecrets): Promise<void> {
    const earlier = serviceTraits[connection.kind].takesMcpToken
      ? await this.#readOwn(connection)
      : undefined;
    await this.#store(connection, { ...earlier, ...others, key });
  }

  /** Stores the token beside the connection's key; undefined deletes it. Rejects with "keyMissing" where there's no key to use it with. */
  async writeMcpToken(connection: Connection, mcpToken: string | undefined): Promise<void> {
    const earlier = await this.#readOwn(connection);
    if (earlier === undefined)
      throw new ServiceError({ kind: 'keyMissing' }, 'There is no API key to store a token with.', {
        connectionId: connection.id,
      });
    await this.#store(connection, { key: earlier.key, ...(mcpToken === undefined ? {} : { mcpToken }) });
  }

  /** Binds the stored key to the connection's origin, whatever its origin was. */
  async rebind(connection: Connection): Promise<void> {
    const secret = await this.#readSecret(connection.id);
    if (secret) await this.#store(connection, secret);
  }

  delete(connectionId: string): Promise<void> {
    return this.#within(connectionId, 'delete', async () => this.#storage.delete(connectionId));
  }

  async #readOwn(connection: Connection): Promise<Secret | undefined> {
    const secret = await this.#readSecret(connection.id);
    if (secret?.origin !== new URL(connection.baseUrl).origin) return undefined;
    hideSecrets(connection, secret);
    return secret;
  }

  #store(
    connection: Connection,
    { key, mcpToken }: { readonly key: string; readonly mcpToken?: string | undefined },
  ): Promise<void> {
    const { id, baseUrl } = connection;
    const token = mcpToken === undefined ? {} : { mcpToken };
    const secret: Secret = { origin: new URL(baseUrl).origin, key, ...token };
    hideSecrets(connection, secret);
    return this.#within(id, 'store', async () => this.#storage.set(id, stringifyJson(secret)));
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
    const response = call().catch((error: unknown) => {
      throw fail('failed', error);
    });
    return Promise.race([response, timeout]).finally(() => timer?.dispose());
  }
}

function hideSecrets({ kind }: Connection, { key, mcpToken }: Secret): void {
  if (!serviceTraits[kind].hasKeyPrefix) registerSecretForMasking(key);
  if (mcpToken !== undefined) registerSecretForMasking(mcpToken);
}

function createFailure(operation: Operation, cause: 'failed' | 'silent', error: unknown): ServiceError {
  const words = cause === 'silent' ? 'did not respond in time' : 'failed';
  return new ServiceError(
    { kind: 'secretStorage', operation, cause },
    `The secret storage ${words} (${operation}).`,
    { cause: error },
  );
}
