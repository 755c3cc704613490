// Sizes in bytes, estimated without serializing anything, which is precise enough for a limit.
import { inMemory, sizeOf } from '../../base/boundedJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';

/** Truncating smaller values saves too little. */
export const leastTruncated = 1024;

export function sizeOfValue(value: JsonValue | undefined): number {
  return sizeOf(value, inMemory);
}

/** Returns the value, or if truncating it saves memory the placeholder that a service uses for a truncated value. */
export function truncate(value: JsonValue | undefined): JsonValue | undefined {
  const bytes = sizeOfValue(value);
  return bytes < leastTruncated ? value : { $cut: { bytes, preview: '' } };
}

/** Stands for a value of which not even the size is kept. */
export const forgottenValue: JsonValue = { $cut: { bytes: 0, preview: '' } };

/** Returns the size that a value had before it was truncated here, not by the service, which shows how it begins; undefined for any other value. */
export function sizeBefore(value: JsonValue | undefined): number | undefined {
  const truncated = truncatedValue(value);
  return truncated?.preview === '' ? truncated.bytes : undefined;
}

export function isTruncatedHere(value: JsonValue | undefined): boolean {
  return sizeBefore(value) !== undefined;
}
