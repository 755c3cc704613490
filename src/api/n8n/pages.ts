import * as v from 'valibot';
import type { JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { Query, ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyedPage } from '../resources/pageReader.ts';
import { decodeRows, noList } from '../resources/resource.ts';

const Page = v.object({
  data: v.array(v.custom<JsonValue>(() => true)),
  nextCursor: v.nullish(v.string()),
});

interface ListRequest<T> {
  readonly operation: ServiceRequest['operation'];
  /** With the cursor, which n8n wants beside the filters. */
  readonly query: Query;
  /** Plural name of the rows, for the log and for errors. */
  readonly what: string;
  /** Returns undefined for a row that can't be read. */
  readonly decode: (row: JsonValue) => T | undefined;
}

/** Reads one page of a list. Rejects with "noList" for a response without one. */
export async function readN8nPage<T extends { readonly id: string }>(
  { transport, logger }: { readonly transport: Transport; readonly logger: Logger },
  { operation, query, what, decode }: ListRequest<T>,
  options?: CallOptions,
): Promise<KeyedPage<T>> {
  const response = await transport.call({ operation, query }, options);
  const page = v.safeParse(Page, response.body);
  if (!page.success) throw noList(response, what);
  const items = decodeRows(page.output.data, decode, what, logger);
  const nextCursor = page.output.nextCursor ?? '';
  return {
    items,
    keys: items.map(({ id }) => id),
    nextCursor: nextCursor === '' ? null : nextCursor,
    size: response.text.length,
  };
}
