import { isServiceError, isTransient, type ServiceError } from '../../domain/errors.ts';
import { operations } from '../../protocol/operations.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import type { ListenedList, PortalEventItem } from '../servicePort.ts';
import { type DataEvent, isResumable } from './events.ts';
import { closeable, poll, resume, type StreamEnd, type StreamSource } from './resume.ts';
import { type FollowTools, type RetryDecision, retryDecision, type StreamContext } from './retry.ts';
import { decodeStreamedPortalEvent } from '../decode/portalEvent.ts';

/**
 * Streams portal events after a given event. Where the service has no stream, polls to keep the list up to date. Rejects with the signal's
 * reason, or with an error that retrying can't fix.
 */
export function streamPortalEvents(
  deps: FollowTools & { readonly transport: Transport },
  after: string | undefined,
  signal: AbortSignal,
  list?: ListenedList,
): AsyncIterable<PortalEventItem> {
  return closeable((inner) => {
    const context = { ...deps, purpose: 'portalEvents', signal: inner } as const;
    return resume(new PortalEventStream(context, after, list), context);
  }, signal);
}

class PortalEventStream implements StreamSource<PortalEventItem> {
  readonly droppedMessage = 'The stream of portal events stopped.';
  readonly #context: StreamContext;
  readonly #list: ListenedList | undefined;
  /** Id of the event to resume after. */
  #after: string | undefined;
  #isPositioned: boolean;
  #isPruned = false;
  /** The last error from reading the list. */
  #listError: unknown;

  constructor(context: StreamContext, after: string | undefined, list: ListenedList | undefined) {
    this.#context = context;
    this.#after = after;
    this.#isPositioned = after !== undefined || list === undefined;
    this.#list = list;
  }

  async prepare(): Promise<void> {
    await this.#ofList(async (list) => {
      await list.prepare();
      if (!this.#isPositioned) this.#after = list.newestId();
      this.#isPositioned = true;
    });
  }

  request(): ServiceRequest {
    const after = this.#after;
    const headers = after !== undefined && isResumable(after) ? { 'Last-Event-ID': after } : {};
    return { operation: operations.listPortalEvents, query: { after }, headers };
  }

  /** Reads the list after the stream opened, so that no event from before is missed. */
  async opened(): Promise<PortalEventItem> {
    await this.#ofList((list) => list.catchUp(this.#isPruned));
    this.#isPruned = false;
    return { kind: 'open', by: 'stream' };
  }

  take(events: readonly DataEvent[]): readonly PortalEventItem[] {
    return events.flatMap((each) => {
      const event = each.kind === 'data' ? decodeStreamedPortalEvent(each.data, each.name) : undefined;
      const id = each.id ?? event?.id ?? '';
      if (isResumable(id)) this.#after = id;
      return event === undefined ? [] : [{ kind: 'event', event } as const];
    });
  }

  /** Portal events have no end. */
  ended(): { readonly items: readonly PortalEventItem[]; readonly end: StreamEnd } {
    return { items: [], end: 'dropped' };
  }

  decide(error: ServiceError): RetryDecision {
    const decision = retryDecision(error);
    if (error !== this.#listError) return error.reason.kind === 'notFound' ? 'noStream' : decision;
    return isTransient(error) ? decision : 'fatal';
  }

  restart(): readonly PortalEventItem[] | undefined {
    if (this.#after === undefined) return undefined;
    this.#after = undefined;
    this.#isPruned = true;
    return [{ kind: 'gap' }];
  }

  async *withoutStream(): AsyncGenerator<PortalEventItem, void, void> {
    const list = this.#list;
    if (list === undefined) return;
    const read = async () => {
      const isNew = await this.#ofList((each) => each.catchUp(false));
      return { items: [], isNew: isNew === true, isMore: false, isOver: false };
    };
    yield* poll<PortalEventItem>(
      {
        opened: { kind: 'open', by: 'polling' },
        read,
        decide: (error) => this.decide(error),
        restart: () => false,
        pause: (idlePolls) => list.untilNextPoll(idlePolls),
      },
      this.#context,
    );
  }

  async #ofList<T>(ask: (list: ListenedList) => Promise<T>): Promise<T | undefined> {
    try {
      return this.#list && (await ask(this.#list));
    } catch (error) {
      this.#listError = isServiceError(error) ? error : undefined;
      throw error;
    }
  }
}
