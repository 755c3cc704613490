import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonValue, readJson } from '../../base/json.ts';
import { ServiceError } from '../../domain/serviceError.ts';
import { pick, pickText } from '../decode/fields.ts';

/** What the service says. id: to resume after; absent when the event brought none. name: what the stream calls it, where it does. */
export type DataEvent =
  | {
      readonly kind: 'data';
      readonly id: string | undefined;
      readonly data: JsonValue;
      readonly name?: string;
    }
  /** Nested deeper than anything is read. */
  | { readonly kind: 'unreadable'; readonly id: string | undefined };

/** The events of one piece, up to the end where the service tells it. */
export interface EventBatch {
  readonly events: readonly DataEvent[];
  /** Milliseconds to wait at least before reconnecting; undefined: nothing was said of it. */
  readonly retryMs: number | undefined;
  /** The service says that nothing more will come. */
  readonly ended: { readonly data: JsonValue | undefined } | undefined;
}

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

type ReadEvent = DataEvent | { readonly kind: 'end'; readonly data: JsonValue | undefined };

function toEvent(name: string | undefined, id: string | undefined, text: string): ReadEvent | undefined {
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

/** Reads the bytes of one connection, cut anywhere; an event that was cut off is dropped. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  #events: DataEvent[] = [];
  #ended: EventBatch['ended'];
  #retryMs: number | undefined;
  #isTooLarge = false;
  readonly #parser = createParser({
    maxBufferSize: maximumEvent,
    onEvent: ({ event, id, data }) => {
      if (this.#ended) return;
      const read = toEvent(event, id, data);
      if (read?.kind === 'end') this.#ended = { data: read.data };
      else if (read) this.#events.push(read);
    },
    onRetry: (retryMs) => {
      if (!this.#ended) this.#retryMs = retryMs;
    },
    onError: ({ type }) => {
      this.#isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });

  /** The events that are complete with this piece, together. */
  read(piece: Uint8Array): EventBatch {
    this.#parser.feed(this.#decoder.decode(piece, { stream: true }));
    const batch = { events: this.#events, retryMs: this.#retryMs, ended: this.#ended };
    this.#events = [];
    this.#retryMs = undefined;
    return batch;
  }

  /** Throws "unreadable" once an event is beyond the limit. */
  throwIfTooLarge(): void {
    if (!this.#isTooLarge) return;
    const reason = { kind: 'unreadable', cause: 'tooLarge' } as const;
    throw new ServiceError(reason, 'The stream holds an event that is too large.');
  }
}
