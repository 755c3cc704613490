// Bytes that aren't text, as a value in JSON.
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Contract section 10: `{"$binary": {"contentType", "bytes", "base64"}}`. `contentType`: '' where none is known. */
export interface BinaryValue {
  readonly contentType: string;
  /** The number of bytes. */
  readonly bytes: number;
  readonly base64: string;
}

export function toBinaryJson(value: BinaryValue): JsonObject {
  return { $binary: { ...value } };
}

/** Returns undefined for any other value, such as one with more members in either object. `bytes` and `contentType` may be missing. */
export function readBinary(value: JsonValue | undefined): BinaryValue | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const { $binary: inner } = value;
  if (!isJsonObject(inner)) return undefined;
  const { contentType = '', bytes, base64, ...others } = inner;
  if (Object.keys(others).length > 0) return undefined;
  if (typeof contentType !== 'string' || typeof base64 !== 'string') return undefined;
  const count = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  return { contentType, bytes: typeof bytes === 'number' ? bytes : count, base64 };
}
