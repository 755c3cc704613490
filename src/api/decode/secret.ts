import { isJsonArray, type JsonValue } from '../../base/json.ts';
import type { Secret } from '../../domain/secret.ts';
import { unwrapRecord } from './envelope.ts';
import { anyOf, pick, pickText, pickTime } from './fields.ts';

const nameNames = anyOf('name');

/** Decodes what the local service says about a secret; returns undefined when the value isn't a record with a name. */
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
