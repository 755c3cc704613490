import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { PortalEvent } from '../../domain/portalEvent.ts';
import type { CallOptions, Page, PortalEventQuery } from '../../domain/queries.ts';
import { operations } from '../../protocol/operations.ts';
import { anyOf, pickIds } from '../decode/fields.ts';
import { decodePortalEvent } from '../decode/portalEvent.ts';
import { listNames, unwrapRecord } from '../decode/envelope.ts';
import type { ListenedList, PortalEventItem, PortalEventPort, WholeRead } from '../servicePort.ts';
import { streamPortalEvents } from '../stream/portalEvents.ts';
import { type KeyedPage, PageReader } from './pageReader.ts';
import { pageDecoder, readWhole, type ResourceDeps } from './resource.ts';

const listDecoder = {
  names: listNames.portalEvents,
  what: 'portal events',
  decode: decodePortalEvent,
  keyOf: ({ key }: PortalEvent) => key,
};
const idNames = anyOf('eventIds', 'ids', 'events', 'eventId', 'id');

/** Every call rejects with a ServiceError, or with the signal's reason when cancelled. */
export class PortalEventCalls implements PortalEventPort {
  readonly #deps: Omit<ResourceDeps, 'workflowIds'>;
  readonly #pages: PageReader;

  constructor(deps: Omit<ResourceDeps, 'workflowIds'>) {
    this.#deps = deps;
    this.#pages = new PageReader(deps);
  }

  async list(query: PortalEventQuery, options?: CallOptions): Promise<Page<PortalEvent>> {
    const { items, nextCursor } = await this.#readPage(query, options);
    return { items, nextCursor };
  }

  listWhole(read: WholeRead): Promise<readonly PortalEvent[]> {
    return readWhole(read, listDecoder.keyOf, (query, options) => this.#readPage(query, options));
  }

  stream(
    after: string | undefined,
    signal: AbortSignal,
    list?: ListenedList,
  ): AsyncIterable<PortalEventItem> {
    return streamPortalEvents(this.#deps, after, signal, list);
  }

  async send(event: JsonObject, options?: CallOptions): Promise<readonly string[]> {
    const { transport } = this.#deps;
    const response = await transport.call({ operation: operations.sendPortalEvent, body: event }, options);
    const record = isJsonObject(response.body) ? unwrapRecord(response.body, idNames) : undefined;
    return record ? pickIds(record, idNames) : [];
  }

  #readPage({ cursor, ...query }: PortalEventQuery, options?: CallOptions): Promise<KeyedPage<PortalEvent>> {
    const decode = pageDecoder(listDecoder, this.#deps.logger);
    return this.#pages.read({ operation: operations.listPortalEvents, query, cursor, decode }, options);
  }
}
