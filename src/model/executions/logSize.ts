// Estimates the memory of rows without serializing them, which is precise enough for a limit.
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';

/** A row without its message and values, and the node run made from it. */
const rowBytes = 600;

/** In bytes, at most about twice the real size. */
export function sizeOfRow({ message, input, output }: NodeLog): number {
  return rowBytes + 2 * message.length + sizeOfValue(input) + sizeOfValue(output);
}

/** In bytes. */
export function sizeOfValue(value: JsonValue | undefined): number {
  if (typeof value === 'string') return 24 + 2 * value.length;
  if (Array.isArray(value)) {
    let sum = 24;
    for (const item of value as readonly JsonValue[]) sum += sizeOfValue(item);
    return sum;
  }
  if (!isJsonObject(value)) return 8;
  let sum = 32;
  for (const name in value) sum += 16 + name.length + sizeOfValue(value[name]);
  return sum;
}
