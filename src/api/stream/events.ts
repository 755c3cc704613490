import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonValue, readJson } from '../../base/json.ts';
import { ServiceError } from '../../domain/errors.ts';
import { anyOf, pick, pickText } from '../decode/fields.ts';

/** A data event. id: the id to resume after; undefined when the event has none. name: the event's SSE name, if it has one. */
export type DataEvent =
  | {
      readonly kind: 'data';
      readonly id: string | undefined;
      readonly data: JsonValue;
      readonly name?: string;
    }
  /** Nested too deep to be read. */
  | { readonly kind: 'unreadable'; readonly id: string | undefined }
  /** Only an id to resume after: of an event without data, or of one that says nothing. */
  | { readonly kind: 'position'; readonly id: string };

/** The events in one chunk, up to the end event if there is one. */
export interface EventBatch {
  readonly events: readonly DataEvent[];
  /** Minimum milliseconds to wait before reconnecting; undefined when the chunk doesn't say. */
  readonly retryMs: number | undefined;
  /** Set when the service says that nothing more will follow. */
  readonly ended: { readonly data: JsonValue | undefined } | undefined;
}

/** Maximum size of one event in characters. Larger content is read page by page instead. */
const maximumEvent = 8 * 1024 * 1024;
const endKinds = /^(end|complete|\[DONE\])$/i;
const idleKinds = /^(ping|heartbeat|keep-?alive)$/i;
const rowMarks = anyOf('nodeId', 'blockId', 'stepId', 'message', 'msg', 'text', 'line', 'level', 'severity');

/** Returns the kind of an event, from its SSE name or its JSON. A row's own "type" is that of its node. */
function kindOf(name: string | undefined, data: JsonValue): string {
  if (name !== undefined && name !== 'message') return name;
  if (!isJsonObject(data) || pick(data, rowMarks) !== undefined) return '';
  return pickText(data, anyOf('type', 'event', 'kind')) ?? '';
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
  return name === undefined || name === 'message'
    ? { kind: 'data', id, data }
    : { kind: 'data', id, data, name };
}

/** False for an id that's too long or that a header can't contain. A request that resumes after it would always fail. */
export function isResumable(id: string): boolean {
  return /^[\x20-\x7e]{1,1000}$/.test(id);
}

/** Decodes the bytes of one connection, split anywhere. An incomplete event at the end is dropped. */
export class EventReader {
  /** The parser drops the mark of the byte order. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #events: DataEvent[] = [];
  #ended: EventBatch['ended'];
  #retryMs: number | undefined;
  #isTooLarge = false;
  /** The id of an event that may have no data. */
  #id: string | undefined;
  readonly #parser = createParser({
    maxBufferSize: maximumEvent,
    // Before the event that has it, also if that has no data.
    onId: (id) => {
      this.#passId();
      this.#id = id;
    },
    onEvent: ({ event, id, data }) => {
      if (id === undefined) this.#passId();
      if (this.#ended) return;
      const read = toEvent(event, id, data);
      if (read === undefined) return;
      this.#id = undefined;
      if (read.kind === 'end') this.#ended = { data: read.data };
      else this.#events.push(read);
    },
    onRetry: (retryMs) => {
      if (!this.#ended) this.#retryMs = retryMs;
    },
    onError: ({ type }) => {
      this.#isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });

  /** Returns the events that this chunk completes. */
  read(piece: Uint8Array): EventBatch {
    const text = this.#decoder.decode(piece, { stream: true });
    if (text !== '') this.#parser.feed(text);
    this.#passId();
    const batch = { events: this.#events, retryMs: this.#retryMs, ended: this.#ended };
    this.#events = [];
    this.#retryMs = undefined;
    return batch;
  }

  /** The id has come with no event that has it. */
  #passId(): void {
    if (this.#id !== undefined && !this.#ended) this.#events.push({ kind: 'position', id: this.#id });
    this.#id = undefined;
  }

  /** Throws "unreadable" once an event exceeds the limit. */
  throwIfTooLarge(): void {
    if (!this.#isTooLarge) return;
    const reason = { kind: 'unreadable', cause: 'tooLarge' } as const;
    throw new ServiceError(reason, 'The stream holds an event that is too large.');
  }
}
