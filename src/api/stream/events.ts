// Bytes of an event stream become rows and the end, whatever the service calls them (contract section 7.5).
import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonValue, readJson } from '../../base/json.ts';
import { ServiceError } from '../../domain/serviceError.ts';
import { pick, pickText } from '../decode/fields.ts';

/** id: to resume after; absent when the event brought none. name: what the stream calls it, where it does. */
export type StreamEvent =
  | {
      readonly kind: 'data';
      readonly id: string | undefined;
      readonly data: JsonValue;
      readonly name?: string;
    }
  /** Nested deeper than anything is read. */
  | { readonly kind: 'unreadable'; readonly id: string | undefined }
  /** The service says that nothing more will come. */
  | { readonly kind: 'end'; readonly data: JsonValue | undefined }
  /** Milliseconds to wait at least before reconnecting. */
  | { readonly kind: 'retry'; readonly retryMs: number };

/** Characters of one event at most; what is larger is read page by page instead. */
const maximumEvent = 8 * 1024 * 1024;
const endKinds = /^(end|complete|\[DONE\])$/i;
const idleKinds = /^(ping|heartbeat|keep-?alive)$/i;
const rowMarks = ['nodeId', 'blockId', 'stepId', 'message', 'msg', 'text', 'line'];

/** What an event is, by its SSE name or by what its JSON says; a row's own "type" is its node's. */
function kindOf(name: string | undefined, data: JsonValue): string {
  if (name !== undefined && name !== 'message') return name;
  if (!isJsonObject(data) || pick(data, rowMarks) !== undefined) return '';
  return pickText(data, ['type', 'event', 'kind']) ?? '';
}

function toEvent(name: string | undefined, id: string | undefined, text: string): StreamEvent | undefined {
  const trimmed = text.trim();
  if (trimmed === '[DONE]') return { kind: 'end', data: undefined };
  const reading = readJson(trimmed);
  if (reading.kind === 'tooDeep') return { kind: 'unreadable', id };
  const data = reading.kind === 'value' ? reading.value : text;
  const kind = kindOf(name, data);
  if (endKinds.test(kind)) return { kind: 'end', data };
  if (idleKinds.test(kind) || trimmed === '') return undefined;
  return { kind: 'data', id, data, ...(name === undefined || name === 'message' ? {} : { name }) };
}

/** False for an id that is too long or that no header can carry: a request that resumes after it would fail each time. */
export function isResumable(id: string): boolean {
  return /^[\x20-\x7e]{1,1000}$/.test(id);
}

/** Reads events as they become complete; one that was cut off is dropped. Throws "unreadable" for one beyond the limit. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void, void> {
  const decoder = new TextDecoder();
  const queue: StreamEvent[] = [];
  const faults = new Set<string>();
  const parser = createParser({
    maxBufferSize: maximumEvent,
    onEvent({ event, id, data }) {
      const read = toEvent(event, id, data);
      if (read) queue.push(read);
    },
    onRetry(retryMs) {
      queue.push({ kind: 'retry', retryMs });
    },
    onError({ type }) {
      faults.add(type);
    },
  });
  for await (const piece of body) {
    parser.feed(decoder.decode(piece, { stream: true }));
    yield* queue.splice(0);
    if (faults.has('max-buffer-size-exceeded'))
      throw new ServiceError(
        { kind: 'unreadable', cause: 'tooLarge' },
        'The stream holds an event that is too large.',
      );
  }
}
