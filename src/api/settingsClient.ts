import { type Clock, systemClock } from '../base/time.ts';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject } from '../base/json.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import type { ApiKey } from '../domain/apiKey.ts';
import type { CallOptions } from '../domain/queries.ts';
import { sessionHeader, settingsOperations } from '../protocol/operations.ts';
import { unlimitedBudget } from './budget/budget.ts';
import type { Secret } from '../domain/secret.ts';
import { decodeSecret } from './decode/secret.ts';
import { decodeApiKey } from './decode/apiKey.ts';
import { anyOf, pickText } from './decode/fields.ts';
import { listNames, unwrapRecord } from './decode/envelope.ts';
import type { HttpPort } from './http/httpPort.ts';
import { RequestTransport, type Transport } from './request/transport.ts';
import { PageReader } from './resources/pageReader.ts';
import { eachPage, pageDecoder, unreadable } from './resources/resource.ts';

export interface SettingsClientDeps {
  /** Loads the port on first use. */
  readonly http: () => Promise<HttpPort>;
  /** Origin of the local service, without a path, as in http://127.0.0.1:4000. */
  readonly origin: string;
  readonly sessionToken: string;
  /** Default: the system clock. */
  readonly clock?: Clock;
  readonly logger?: Logger;
}

const secretsDecoder = {
  names: listNames.secrets,
  what: 'secrets',
  decode: decodeSecret,
  keyOf: ({ name }: Secret) => name,
};
const listDecoder = {
  names: listNames.keys,
  what: 'API keys',
  decode: decodeApiKey,
  keyOf: ({ id }: ApiKey) => id,
};

/** A client for the local service's settings endpoints. The session token is sent to this origin only. */
export class SettingsClient implements Disposable {
  readonly #transport: Transport;
  readonly #pages: PageReader;
  readonly #logger: Logger;

  constructor(deps: SettingsClientDeps) {
    const { http, origin, sessionToken, clock = systemClock, logger = silentLogger } = deps;
    const identity = { headers: { [sessionHeader]: sessionToken }, secret: sessionToken };
    this.#logger = logger;
    this.#transport = new RequestTransport({
      http,
      baseUrl: origin,
      authorize: () => Promise.resolve(identity),
      budget: unlimitedBudget,
      clock,
      logger,
      random: Math.random,
    });
    this.#pages = new PageReader({ transport: this.#transport, clock });
  }

  async listKeys(options?: CallOptions): Promise<readonly ApiKey[]> {
    let keys: readonly ApiKey[] = [];
    const decode = pageDecoder(listDecoder, this.#logger);
    const pages = eachPage((cursor) =>
      this.#pages.read({ operation: settingsOperations.listApiKeys, cursor, decode }, options),
    );
    for await (const { items } of pages) keys = keys.concat(items);
    return keys;
  }

  async createKey(
    name: string,
    expiration: string,
    options?: CallOptions,
  ): Promise<ApiKey & { readonly key: string }> {
    const request = { operation: settingsOperations.createApiKey, body: { name, expiration } };
    const response = await this.#transport.call(request, options);
    const record = isJsonObject(response.body) ? unwrapRecord(response.body, anyOf('id', 'key')) : undefined;
    const key = record && pickText(record, anyOf('key'));
    const apiKey = decodeApiKey(response.body);
    if (!apiKey || !key) throw unreadable(response, 'the new key');
    return { ...apiKey, key };
  }

  async revokeKey(keyId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call({ operation: settingsOperations.revokeApiKey, values: { keyId } }, options);
  }

  async listSecrets(options?: CallOptions): Promise<readonly Secret[]> {
    let secrets: readonly Secret[] = [];
    const decode = pageDecoder(secretsDecoder, this.#logger);
    const pages = eachPage((cursor) =>
      this.#pages.read({ operation: settingsOperations.listSecrets, cursor, decode }, options),
    );
    for await (const { items } of pages) secrets = secrets.concat(items);
    return secrets;
  }

  /** Replaces the value and the origins of a secret of the same name. */
  async setSecret(
    name: string,
    { value, origins = [] }: { readonly value: string; readonly origins?: readonly string[] | undefined },
    options?: CallOptions,
  ): Promise<void> {
    const body = { value, origins };
    const request = { operation: settingsOperations.setSecret, values: { name }, body };
    await this.#transport.call(request, options);
  }

  async deleteSecret(name: string, options?: CallOptions): Promise<void> {
    await this.#transport.call({ operation: settingsOperations.deleteSecret, values: { name } }, options);
  }

  dispose(): void {
    this.#transport.dispose();
  }
}
