// Reads the small records around workflows and executions: portal events and API keys (contract section 7.2).
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { pickNumber, pickPresent, pickText } from './fields.ts';
import { pickTime } from './times.ts';
import { unwrapRecord } from './unwrap.ts';
import type { ApiKey } from '../../domain/apiKey.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';

/** A portal event; undefined when the value is no record. */
export function decodePortalEvent(value: JsonValue): PortalEvent | undefined {
  return isJsonObject(value) ? readEventRecord(value, 'unknown') : undefined;
}

/** An event of a stream, whose data may be any value. name: what the stream called it, for data without a type. */
export function decodeStreamedPortalEvent(data: JsonValue, name = 'unknown'): PortalEvent {
  return readEventRecord(isJsonObject(data) ? data : { type: name, data }, name);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function readEventRecord(record: JsonObject, otherType: string): PortalEvent {
  const id = pickText(record, ['id', 'eventId']);
  const type = pickText(record, ['type', 'event', 'kind', 'name']) ?? otherType;
  const timestamp = pickTime(record, ['timestamp', 'createdAt', 'time', 'occurredAt']);
  const data = pickPresent(record, ['data', 'payload']) ?? record;
  return {
    key: id ?? hashOf(JSON.stringify([type, timestamp, data])),
    id,
    type,
    timestamp,
    workflowId: pickText(record, ['data.workflowId', 'payload.workflowId', 'workflowId']),
    data,
    raw: record,
  };
}

/** An API key's record; undefined when the value is no record with an id. */
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
