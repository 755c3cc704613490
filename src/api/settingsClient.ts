import { type Clock, systemClock } from '../base/time.ts';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject } from '../base/json.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import type { ApiKey } from '../domain/apiKey.ts';
import type { CallOptions } from '../domain/queries.ts';
import { type Operation, sessionHeader, settingsOperations } from '../protocol/operations.ts';
import { unlimitedBudget } from './budget/budget.ts';
import type { Secret } from '../domain/secret.ts';
import { decodeApiKey, decodeSecret } from './decode/settings.ts';
import { anyOf, pickText } from './decode/fields.ts';
import { listNames, unwrapRecord } from './decode/envelope.ts';
import type { HttpPort } from './http/httpPort.ts';
import { RequestTransport, type Transport } from './request/transport.ts';
import { PageReader } from './resources/pageReader.ts';
import { eachPage, type ListDecoder, pageDecoder, unreadable } from './resources/resource.ts';

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
const keysDecoder = {
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

  listKeys(options?: CallOptions): Promise<readonly ApiKey[]> {
    return this.#list(settingsOperations.listApiKeys, keysDecoder, options);
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

  listSecrets(options?: CallOptions): Promise<readonly Secret[]> {
    return this.#list(settingsOperations.listSecrets, secretsDecoder, options);
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

  async #list<T>(
    operation: Operation,
    decoder: ListDecoder<T>,
    options: CallOptions | undefined,
  ): Promise<readonly T[]> {
    let all: readonly T[] = [];
    const decode = pageDecoder(decoder, this.#logger);
    const pages = eachPage((cursor) => this.#pages.read({ operation, cursor, decode }, options));
    for await (const { items } of pages) all = all.concat(items);
    return all;
  }
}
