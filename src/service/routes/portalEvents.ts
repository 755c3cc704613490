// List, stream and receive portal events (contract section 3, operations 15, 15s, 15w).
import { aliases, operations } from '../../protocol/operations.ts';
import { InboundPortalEventRequest } from '../../protocol/requests.ts';
import { readRequest } from '../http/body.ts';
import { type EventSource, type EventStreamOptions, streamEvents, wantsStream } from '../http/eventStream.ts';
import { HttpError } from '../http/httpError.ts';
import type { KeyWatch } from '../http/keyWatch.ts';
import { readCursor, readLimit, readText, toListBody, writeCursor } from '../http/query.ts';
import { basePath, route, type ServiceApp, type ServiceContext } from '../http/routes.ts';
import type { PortalEventFilter } from '../store/portalEvents.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/store.ts';

const streamPageSize = 100;
const inboundPrefix = 'portal.';

interface PortalEventParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly keyWatch: KeyWatch;
  readonly stream: EventStreamOptions;
}

export function registerPortalEventRoutes(
  app: ServiceApp,
  { store, secrets, keyWatch, stream }: PortalEventParts,
): void {
  const respondWithStream = (context: ServiceContext): Promise<Response> =>
    streamPortalEvents(context, store, keyWatch, stream);
  route(app, basePath, operations.listPortalEvents, (context) =>
    wantsStream(context) ? respondWithStream(context) : listPortalEvents(context, store),
  );
  route(app, basePath, aliases.streamPortalEvents, respondWithStream);
  route(app, basePath, operations.sendPortalEvent, async (context) => {
    const { type, data, id, workflowId } = await readRequest(context, InboundPortalEventRequest);
    await secrets.refreshIfStale();
    const { text, object } = secrets.masking;
    const eventId = await store.portalEvents.append({
      type: await text(type.startsWith(inboundPrefix) ? type : inboundPrefix + type),
      data: {
        ...(data && (await object(data))),
        ...(workflowId !== undefined && { workflowId: await text(workflowId) }),
      },
      ...(id !== undefined && { sourceId: `inbound:${id}` }),
    });
    return context.json({ eventIds: [eventId], status: 'received' }, 202);
  });
}

async function listPortalEvents(context: ServiceContext, store: Store): Promise<Response> {
  const filter = readFilter(context);
  const limit = readLimit(context);
  const afterId = readText(context, 'after');
  if (afterId === undefined) {
    const before = readCursor(context, 'events');
    return context.json(toListBody('events', await store.portalEvents.list(filter, { limit, before })));
  }
  const after = readCursor(context, 'eventsAfter') ?? (await findPosition(store, afterId));
  const { items, hasMore, hasGap } = await store.portalEvents.listAfter(filter, after, limit);
  if (hasGap) throw eventGap();
  const last = hasMore ? items.at(-1) : undefined;
  return context.json({
    data: items.map(({ event }) => event),
    nextCursor: writeCursor('eventsAfter', last?.position ?? null),
  });
}

async function streamPortalEvents(
  context: ServiceContext,
  store: Store,
  keyWatch: KeyWatch,
  stream: EventStreamOptions,
): Promise<Response> {
  const from = context.req.header('Last-Event-ID') ?? readText(context, 'after');
  const position =
    from === undefined ? (await store.portalEvents.range()).last : await findPosition(store, from);
  const source = createPortalEventSource(store, readFilter(context), position);
  return streamEvents(context, keyWatch.guard(source, context.get('apiKey')), stream);
}

export function createPortalEventSource(store: Store, filter: PortalEventFilter, after: number): EventSource {
  let position = after;
  return {
    subscribe: (listener) => store.subscribe('portalEvents', listener),
    async read() {
      const { last } = await store.portalEvents.range();
      const page = await store.portalEvents.listAfter(filter, position, streamPageSize);
      // Ends the stream of a reader that's too slow for the limit of stored events: it gets the gap error when it reconnects.
      const { items: found, hasMore, hasGap } = page;
      const reached = found.at(-1)?.position ?? last;
      position = hasMore ? reached : Math.max(reached, last);
      return {
        frames: hasGap ? [] : found.map(({ event }) => ({ id: event.id, event: event.type, data: event })),
        isEnd: hasGap,
      };
    },
  };
}

function readFilter(context: ServiceContext): PortalEventFilter {
  return { type: readText(context, 'type'), workflowId: readText(context, 'workflowId') };
}

async function findPosition(store: Store, eventId: string): Promise<number> {
  const position = await store.portalEvents.findPosition(eventId);
  if (position === undefined) throw eventGap();
  return position;
}

function eventGap(): HttpError {
  return new HttpError(410, 'event_gap', 'This event is unknown or no longer kept; list the events again.');
}
