// Sizes in bytes, estimated without serializing anything, which is precise enough for a limit.
import { inMemory, sizeOf } from '../../base/boundedJson.ts';
import type { JsonValue } from '../../base/json.ts';
import type { NodeLog, ValueName } from '../../domain/nodeLog.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';

/** Truncating smaller values saves too little. */
const leastTruncated = 1024;
/** A row without its message and values, and the node run made from it. */
const rowBytes = 600;

/** The size of a row without its values. */
export function sizeOfText({ message }: NodeLog): number {
  return rowBytes + 2 * message.length;
}

export function sizeOfRow(row: NodeLog): number {
  return sizeOfText(row) + sizeOfValues(row);
}

export function sizeOfValues({ input, output, exchange }: Partial<Pick<NodeLog, ValueName>>): number {
  return sizeOfValue(input) + sizeOfValue(output) + sizeOfValue(exchange);
}

export function sizeOfValue(value: JsonValue | undefined): number {
  return sizeOf(value, inMemory);
}

/** Returns the value, or if truncating it saves memory the placeholder that a service uses for a truncated value. */
export function truncate(value: JsonValue | undefined): JsonValue | undefined {
  const bytes = sizeOfValue(value);
  return bytes < leastTruncated ? value : { $cut: { bytes, preview: '' } };
}

/** Returns the row itself if none of its values can be truncated. */
export function truncateRow(row: NodeLog): NodeLog {
  const [input, output, exchange] = [truncate(row.input), truncate(row.output), truncate(row.exchange)];
  const isWhole = input === row.input && output === row.output && exchange === row.exchange;
  return isWhole ? row : { ...row, input, output, exchange };
}

/** True for a value that was truncated here, not by the service, which shows how it begins. */
export function isTruncatedHere(value: JsonValue | undefined): boolean {
  return truncatedValue(value)?.preview === '';
}
