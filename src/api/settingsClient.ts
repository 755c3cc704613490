// The settings surface of the local service, guarded by its session token instead of a key (contract section 3).
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject } from '../base/json.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { type Clock, systemClock } from '../base/time.ts';
import { sessionHeader, settingsOperations } from '../protocol/operations.ts';
import { unlimitedBudget } from './budget/budget.ts';
import { eachPage, readPage, unreadable } from './resources/pages.ts';
import type { CallOptions, SettingsClient } from './client.ts';
import type { HttpPort } from './http/httpPort.ts';
import { pickText } from './decode/fields.ts';
import { decodeApiKey } from './decode/surroundings.ts';
import { listNames, unwrapRecord } from './decode/unwrap.ts';
import { createTransport } from './request/transport.ts';
import type { ApiKey } from '../domain/apiKey.ts';

export interface SettingsClientDeps {
  /** Loads the port on first use. */
  readonly http: () => Promise<HttpPort>;
  /** Of the local service, without a path, as in http://127.0.0.1:4000. */
  readonly origin: string;
  readonly sessionToken: string;
  /** Default: the machine's. */
  readonly clock?: Clock;
  readonly logger?: Logger;
}

const listDecoder = { names: listNames.keys, what: 'API keys', decode: decodeApiKey };

/** A client of the settings surface; the token is sent to this origin only. */
export function createSettingsClient(deps: SettingsClientDeps): SettingsClient & Disposable {
  const logger = deps.logger ?? silentLogger;
  const transport = createTransport({
    http: deps.http,
    baseUrl: deps.origin,
    authorize: () =>
      Promise.resolve({ headers: { [sessionHeader]: deps.sessionToken }, secret: deps.sessionToken }),
    budget: unlimitedBudget,
    clock: deps.clock ?? systemClock,
    logger,
    random: Math.random,
  });

  return Object.freeze({
    async listKeys(options?: CallOptions) {
      let keys: readonly ApiKey[] = [];
      const pages = eachPage(async (cursor) => {
        const answer = await transport.call({ operation: settingsOperations.listApiKeys, cursor }, options);
        return readPage(answer, cursor, listDecoder, logger);
      });
      for await (const { items } of pages) keys = keys.concat(items);
      return keys;
    },
    async createKey(name: string, expiration: string, options?: CallOptions) {
      const request = { operation: settingsOperations.createApiKey, body: { name, expiration } };
      const answer = await transport.call(request, options);
      const record = isJsonObject(answer.body) ? unwrapRecord(answer.body, ['id', 'key']) : undefined;
      const key = record && pickText(record, ['key']);
      const reading = decodeApiKey(answer.body);
      if (!reading || !key) throw unreadable(answer, 'the new key');
      return { ...reading, key };
    },
    async revokeKey(keyId: string, options?: CallOptions) {
      await transport.call({ operation: settingsOperations.revokeApiKey, values: { keyId } }, options);
    },
    dispose: () => transport.dispose(),
  });
}
