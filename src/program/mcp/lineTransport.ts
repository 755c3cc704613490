// Messages of the protocol, one a line, as its stdio binding says. The SDK's own transport reads numbers as JavaScript has them, so a definition
// would be saved with other digits than it was given with.
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { parseJson, stringifyJson } from '../../base/json.ts';
import { toError } from '../../base/reason.ts';

/** In UTF-16 units: the longest message. */
const maximumLength = 10 * 1024 * 1024;

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export class LineTransport implements Transport {
  readonly #streams: LineStreams;
  #begun = '';
  /** The requests that wait for an answer, by id. */
  readonly #open = new Set<RequestId>();
  #onAnswer: () => void = () => undefined;
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];

  constructor(streams: LineStreams) {
    this.#streams = streams;
  }

  start(): Promise<void> {
    const { input } = this.#streams;
    input.setEncoding('utf8');
    input.on('data', this.#take);
    return Promise.resolve();
  }

  /** Resolves when the message has been handed over, so that a reader that is slow isn't buried. */
  async send(message: JSONRPCMessage): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#streams.output.write(`${stringifyJson(message)}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
  }

  /** Resolves when each request that has come is answered, or cancelled. */
  async whenAnswered(): Promise<void> {
    while (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#onAnswer = resolve;
      });
  }

  close(): Promise<void> {
    const { input } = this.#streams;
    input.off('data', this.#take);
    input.pause();
    this.#begun = '';
    this.onclose?.();
    return Promise.resolve();
  }

  #settle(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (this.#open.delete(id)) this.#onAnswer();
  }

  readonly #take = (chunk: string): void => {
    this.#begun += chunk;
    if (chunk.includes('\n')) {
      const lines = this.#begun.split('\n');
      this.#begun = lines.pop() ?? '';
      for (const line of lines) this.#receive(line);
    }
    // Nothing that comes after it can be understood.
    if (this.#begun.length > maximumLength) this.#streams.input.destroy();
  };

  /** What isn't a message is passed over: without an id there is nobody to answer. */
  #receive(line: string): void {
    const value = parseJson(line);
    if (value === undefined) return;
    try {
      const message = parseJSONRPCMessage(value);
      if ('method' in message) {
        if ('id' in message) this.#open.add(message.id);
        else this.#settle(message.params?.['requestId']);
      }
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(toError(error));
    }
  }
}
