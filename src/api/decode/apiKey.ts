import type { JsonValue } from '../../base/json.ts';
import type { ApiKey } from '../../domain/apiKey.ts';
import { pickNumber, pickText, pickTime } from './fields.ts';
import { unwrapRecord } from './envelope.ts';

/** Decodes an API key; returns undefined when the value isn't a record with an id. */
export function decodeApiKey(body: JsonValue | undefined): ApiKey | undefined {
  const record = unwrapRecord(body, ['id', 'keyId']);
  const id = record && pickText(record, ['id', 'keyId']);
  if (!record || !id) return undefined;
  return {
    id,
    name: pickText(record, ['name', 'label']) ?? id,
    preview: pickText(record, ['preview', 'maskedKey', 'displayKey', 'keyPrefix', 'prefix']) ?? '',
    expiration: pickText(record, ['expiration']),
    expiresAt: pickTime(record, ['expiresAt']),
    createdAt: pickTime(record, ['createdAt', 'created']),
    lastUsedAt: pickTime(record, ['lastUsedAt', 'lastUsed']),
    requestCount: pickNumber(record, ['requestCount', 'requests']),
    revokedAt: pickTime(record, ['revokedAt']),
  };
}
