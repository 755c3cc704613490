// Dependencies and list decoding that all resources share.
import type { BoundedMap } from '../../base/boundedMap.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Page } from '../../domain/queries.ts';
import { ServiceError } from '../../domain/errors.ts';
import { maximumPages, type PageOrigin, readNextCursor, unwrapList } from '../decode/envelope.ts';
import type { Answer } from '../request/answers.ts';
import type { Transport } from '../request/transport.ts';
import type { Clock } from '../../base/time.ts';

export interface ResourceDeps {
  readonly transport: Transport;
  readonly logger: Logger;
  /** Workflow ids by execution id, because some services nest executions below their workflow. */
  readonly workflowIds: BoundedMap<string, string>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** The error for a response without the expected content. what: as in "a workflow". */
export function unreadable(answer: Answer, what: string): ServiceError {
  return new ServiceError({ kind: 'unreadable', cause: 'incomplete' }, `The answer does not hold ${what}.`, {
    status: answer.status,
    requestId: answer.headers.get('x-request-id'),
    connectionId: answer.connectionId,
  });
}

export function pageOrigin(answer: Answer, cursor: string | undefined): PageOrigin {
  return { url: answer.url, cursor, linkHeader: answer.headers.get('link') };
}

/** Maximum number of rows decoded from one response. More would block the extension for too long. */
const maximumRows = 100_000;

/** Decodes rows one by one. Logs and leaves out rows that can't be read or that exceed the limit. */
export function decodeRows<R, T>(
  rows: readonly R[],
  decode: (row: R, position: number) => T | undefined,
  what: string,
  logger: Logger,
): readonly T[] {
  const items = rows
    .slice(0, maximumRows)
    .map(decode)
    .filter((item) => item !== undefined);
  const skipped = rows.length - items.length;
  if (skipped > 0) logger.warn(`${skipped} of ${rows.length} ${what} could not be read and were left out.`);
  return items;
}

/** How the rows of one kind of list are found and decoded. */
export interface ListDecoder<T> {
  /** Members that contain the rows, in addition to the usual ones. */
  readonly names: readonly string[];
  /** Plural name of the rows, for the log and for errors. */
  readonly what: string;
  /** Returns undefined for a row that can't be read. */
  readonly decode: (row: JsonValue) => T | undefined;
  /** False for an item that wasn't requested. Default: accepts all. */
  readonly accepts?: (item: T) => boolean;
}

/**
 * Decodes one page of a list. nextCursor is null at the end, and a page without items is always the end.
 * Throws "unreadable" when the response contains no list. A 2xx response without a body is an empty list.
 */
export function decodePage<T>(
  answer: Answer,
  cursor: string | undefined,
  { names, what, decode, accepts = () => true }: ListDecoder<T>,
  logger: Logger,
): Page<T> {
  const rows = answer.text.trim() === '' ? [] : unwrapList(answer.body, names);
  if (rows === undefined) throw unreadable(answer, `a list of ${what}`);
  const items = decodeRows(rows, decode, what, logger).filter(accepts);
  const nextCursor = readNextCursor(answer.body, rows.length, pageOrigin(answer, cursor));
  return { items, nextCursor: items.length === 0 ? null : nextCursor };
}

/** Reads pages in sequence until the last one, a repeated cursor, or the fiftieth page. */
export async function* eachPage<T extends { readonly nextCursor: string | null }>(
  readOne: (cursor: string | undefined) => Promise<T>,
): AsyncGenerator<T, void, void> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < maximumPages; count += 1) {
    const page: T = await readOne(cursor);
    yield page;
    if (page.nextCursor === null || seen.has(page.nextCursor)) return;
    seen.add(page.nextCursor);
    cursor = page.nextCursor;
  }
}
