// What the settings of the local service list.
import { isJsonArray, type JsonValue } from '../../base/json.ts';
import type { ApiKey } from '../../domain/apiKey.ts';
import type { Secret } from '../../domain/secret.ts';
import { unwrapRecord } from './envelope.ts';
import { anyOf, pick, pickNumber, pickText, pickTime } from './fields.ts';

const idNames = anyOf('id', 'keyId');

/** Decodes an API key; returns undefined when the value isn't a record with an id. */
export function decodeApiKey(body: JsonValue | undefined): ApiKey | undefined {
  const record = unwrapRecord(body, idNames);
  const id = record && pickText(record, idNames);
  if (!record || !id) return undefined;
  return {
    id,
    name: pickText(record, anyOf('name', 'label')) ?? id,
    preview: pickText(record, anyOf('preview', 'maskedKey', 'displayKey', 'keyPrefix', 'prefix')) ?? '',
    expiration: pickText(record, anyOf('expiration')),
    expiresAt: pickTime(record, anyOf('expiresAt')),
    createdAt: pickTime(record, anyOf('createdAt', 'created')),
    lastUsedAt: pickTime(record, anyOf('lastUsedAt', 'lastUsed')),
    requestCount: pickNumber(record, anyOf('requestCount', 'requests')),
    revokedAt: pickTime(record, anyOf('revokedAt')),
  };
}

const nameNames = anyOf('name');

/** Decodes a secret; returns undefined when the value isn't a record with a name. */
export function decodeSecret(body: JsonValue | undefined): Secret | undefined {
  const record = unwrapRecord(body, nameNames);
  const name = record && pickText(record, nameNames);
  if (!record || !name) return undefined;
  const origins = pick(record, anyOf('origins')) ?? [];
  return {
    name,
    updatedAt: pickTime(record, anyOf('updatedAt')),
    origins: isJsonArray(origins) ? origins.filter((origin) => typeof origin === 'string') : [],
    isUnreadable: pick(record, anyOf('isUnreadable')) === true,
  };
}
