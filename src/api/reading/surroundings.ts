// Why: reads the small records around workflows and executions: portal events and API keys (contract section 7.2).
import { isJsonObject } from '../../base/json.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ApiKeyReading, PortalEventReading } from '../readings.ts';
import { pickNumber, pickPresent, pickText } from './fields.ts';
import { pickTime } from './times.ts';
import { unwrapRecord } from './unwrap.ts';

/** A portal event; undefined when the value is no record. */
export function readPortalEvent(value: JsonValue): PortalEventReading | undefined {
  if (!isJsonObject(value)) return undefined;
  return {
    id: pickText(value, ['id', 'eventId']),
    type: pickText(value, ['type', 'event', 'kind', 'name']) ?? 'unknown',
    timestamp: pickTime(value, ['timestamp', 'createdAt', 'time', 'occurredAt']),
    data: pickPresent(value, ['data', 'payload']) ?? value,
  };
}

/** An API key's record; undefined when the value is no record with an id. */
export function readApiKey(body: JsonValue | undefined): ApiKeyReading | undefined {
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
