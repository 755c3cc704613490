// The calls about portal events (contract section 3, 15).
import { isJsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { operations } from '../../protocol/operations.ts';
import type { PortalEventCalls } from '../client.ts';
import type { FollowTools } from '../stream/follow.ts';
import { streamPortalEvents } from '../stream/portalEvents.ts';
import { pickIds } from '../decode/fields.ts';
import { decodePortalEvent } from '../decode/surroundings.ts';
import { listNames, unwrapRecord } from '../decode/unwrap.ts';
import type { Transport } from '../request/transport.ts';
import { readPage } from './pages.ts';

const listDecoder = { names: listNames.portalEvents, what: 'portal events', decode: decodePortalEvent };
const idNames = ['eventIds', 'ids', 'events', 'eventId', 'id'];

export function createPortalEventCalls(
  transport: Transport,
  logger: Logger,
  tools: FollowTools,
): PortalEventCalls {
  return {
    async list({ cursor, ...query }, options) {
      const answer = await transport.call({ operation: operations.listPortalEvents, query, cursor }, options);
      return readPage(answer, cursor, listDecoder, logger);
    },
    stream: (after, signal) => streamPortalEvents({ transport, ...tools }, after, signal),
    async send(event, options) {
      const answer = await transport.call({ operation: operations.sendPortalEvent, body: event }, options);
      const record = isJsonObject(answer.body) ? unwrapRecord(answer.body, idNames) : undefined;
      return record ? pickIds(record, idNames) : [];
    },
  };
}
