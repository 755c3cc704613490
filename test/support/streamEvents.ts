// The events of a stream one after the other, for tests that cut its bytes.
import { type DataEvent, EventReader } from '../../src/api/stream/events.ts';
import type { JsonValue } from '../../src/base/json.ts';

export type StreamEvent =
  | DataEvent
  | { readonly kind: 'end'; readonly data: JsonValue | undefined }
  | { readonly kind: 'retry'; readonly retryMs: number };

/** Reads pieces to the end that they tell, else to the last one. Throws "unreadable" for an event beyond the limit. */
export function readStream(pieces: readonly Uint8Array[]): readonly StreamEvent[] {
  const reader = new EventReader();
  const read: StreamEvent[] = [];
  for (const piece of pieces) {
    const { events, retryMs, ended } = reader.read(piece);
    if (retryMs !== undefined) read.push({ kind: 'retry', retryMs });
    read.push(...events);
    if (ended) return [...read, { kind: 'end', data: ended.data }];
    reader.throwIfTooLarge();
  }
  return read;
}
