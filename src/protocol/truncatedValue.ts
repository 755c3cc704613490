// The placeholder for a node log's value that is too large for a page: its size and its beginning (contract section 1).
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { readExchange } from '../domain/httpExchange.ts';

export interface TruncatedValue {
  /** Size of the whole value as JSON. */
  readonly bytes: number;
  /** The beginning of its JSON. */
  readonly preview: string;
}

/** Decodes a placeholder; returns undefined for any other value. */
export function truncatedValue(value: JsonValue | undefined): TruncatedValue | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const truncated = value['$cut'];
  if (!isJsonObject(truncated)) return undefined;
  const { bytes, preview } = truncated;
  const isSize = typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0;
  return isSize && typeof preview === 'string' ? { bytes, preview } : undefined;
}

/** True for a value of a node log, also for an exchange whose bodies were truncated. */
export function isTruncated(value: JsonValue | undefined): boolean {
  const { request, response } = readExchange(value) ?? {};
  return [value, request?.body, response?.body].some((each) => truncatedValue(each) !== undefined);
}
