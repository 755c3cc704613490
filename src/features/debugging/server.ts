// The debug adapter protocol itself: requests in, responses and events out.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as v from 'valibot';
import { isAbortError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { Request } from './protocol.ts';

/** The response to a request, and what is done once it's sent. */
export interface Handled {
  readonly body?: object;
  readonly afterwards?: () => void;
}

/** Rejects with an error in words, or with the signal's reason. */
export type Handler = (given: unknown, signal: AbortSignal) => Handled | Promise<Handled>;

/** Decodes the arguments of a request. */
export function on<Schema extends v.GenericSchema>(
  schema: Schema,
  handle: (given: v.InferOutput<Schema>, signal: AbortSignal) => Handled | Promise<Handled>,
): Handler {
  return (given, signal) => handle(v.parse(schema, given ?? {}), signal);
}

export class ProtocolServer implements Disposable {
  readonly #handlers: Readonly<Record<string, Handler>>;
  readonly #describe: (error: unknown) => string;
  readonly #messages = new Emitter<DebugProtocol.ProtocolMessage>();
  /** Of the requests that are being handled, by their numbers. */
  readonly #pending = new Map<number, AbortController>();
  #sequence = 0;

  /** Fires with each message for the editor. */
  readonly onDidSend: Event<DebugProtocol.ProtocolMessage> = this.#messages.event;

  /** `describe` puts an error into words. */
  constructor(handlers: Readonly<Record<string, Handler>>, describe: (error: unknown) => string) {
    this.#handlers = handlers;
    this.#describe = describe;
  }

  /** Answers a message of the editor. Never rejects. */
  async handle(message: unknown): Promise<void> {
    const decoded = v.safeParse(Request, message);
    if (!decoded.success) return;
    const request = decoded.output;
    const controller = new AbortController();
    this.#pending.set(request.seq, controller);
    try {
      const handler = Object.hasOwn(this.#handlers, request.command)
        ? this.#handlers[request.command]
        : undefined;
      if (handler === undefined) throw new Error(`"${request.command}" isn't offered.`);
      const { body, afterwards } = await handler(request.arguments, controller.signal);
      this.#respond(request, { success: true, body });
      afterwards?.();
    } catch (error) {
      const isCancelled = isAbortError(error);
      const text = isCancelled ? 'cancelled' : this.#describe(error);
      const message = { id: 1, format: '{text}', variables: { text }, showUser: !isCancelled };
      this.#respond(request, { success: false, message: text, body: { error: message } });
    } finally {
      this.#pending.delete(request.seq);
    }
  }

  send(event: string, body?: object): void {
    const message: DebugProtocol.Event = { type: 'event', seq: this.#next(), event, body };
    this.#messages.fire(message);
  }

  cancel(requestId: number): void {
    this.#pending.get(requestId)?.abort();
  }

  dispose(): void {
    for (const pending of this.#pending.values()) pending.abort();
    this.#messages.dispose();
  }

  #respond(
    { seq, command }: Request,
    response: Pick<DebugProtocol.Response, 'success' | 'message' | 'body'>,
  ): void {
    const message: DebugProtocol.Response = {
      type: 'response',
      seq: this.#next(),
      request_seq: seq,
      command,
      ...response,
    };
    this.#messages.fire(message);
  }

  #next(): number {
    return (this.#sequence += 1);
  }
}
