import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import { anyOf, type Names, pickPresent, pickText, pickTime } from './fields.ts';
import { readIteration } from './nodeLog.ts';

/** Decodes a portal event; returns undefined when the value isn't a record. */
export function decodePortalEvent(value: JsonValue): PortalEvent | undefined {
  return isJsonObject(value) ? readEventRecord(value, 'unknown') : undefined;
}

/** Decodes an event of a stream, whose data may be any value. name: the stream's name for it, used for data without a type. */
export function decodeStreamedPortalEvent(data: JsonValue, name = 'unknown'): PortalEvent {
  return readEventRecord(isJsonObject(data) ? data : { type: name, data }, name);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The places of a member: in the event's data, or beside them. */
const inData = (name: string): Names => anyOf(`data.${name}`, `payload.${name}`, name);

function readEventRecord(record: JsonObject, otherType: string): PortalEvent {
  const id = pickText(record, anyOf('id', 'eventId'));
  const type = pickText(record, anyOf('type', 'event', 'kind', 'name')) ?? otherType;
  const timestamp = pickTime(record, anyOf('timestamp', 'createdAt', 'time', 'occurredAt'));
  const data = pickPresent(record, anyOf('data', 'payload')) ?? record;
  return {
    key: id ?? hashOf(stringifyJson([type, timestamp, data])),
    id,
    type,
    timestamp,
    workflowId: pickText(record, inData('workflowId')),
    executionId: pickText(record, inData('executionId')),
    nodeName: pickText(record, [...inData('nodeName'), ...inData('nodeId')]),
    iteration: readIteration(record, inData('iteration')),
    data,
    raw: record,
  };
}
