// Dependencies and list decoding that all resources share.
import type { BoundedMap } from '../../base/boundedMap.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { redact } from '../../base/masking.ts';
import type { Logger } from '../../base/logger.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Names } from '../decode/fields.ts';
import { unwrapList } from '../decode/envelope.ts';
import { errorMessage } from '../errors/errorText.ts';
import { maximumPages } from '../decode/nextPage.ts';
import { limits } from '../../protocol/operations.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Transport } from '../request/transport.ts';
import type { Clock } from '../../base/time.ts';
import type { WholeRead } from '../servicePort.ts';
import type { DecodedPage, KeyedPage } from './pageReader.ts';

export interface ResourceDeps {
  readonly transport: Transport;
  readonly logger: Logger;
  /** Workflow ids by execution id, because some services nest executions below their workflow. */
  readonly workflowIds: BoundedMap<string, string>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

function detailsOf({ status, headers, connectionId }: CompleteResponse) {
  return { status, requestId: headers.get('x-request-id'), connectionId };
}

/** The error for a response without the expected content. what: as in "a workflow". */
export function unreadable(response: CompleteResponse, what: string): ServiceError {
  const reason = { kind: 'unreadable', cause: 'incomplete' } as const;
  return new ServiceError(reason, `The response does not hold ${what}.`, detailsOf(response));
}

/** The error for a response that should have been a list. what: plural, as in "workflows". */
export function noList(response: CompleteResponse, what: string): ServiceError {
  const isRefusal = isJsonObject(response.body) && isJsonArray(response.body['errors']);
  const says = isRefusal ? redact(errorMessage(response)) : null;
  const message = says ?? `The response has no list of ${what}.`;
  return new ServiceError({ kind: 'noList', says }, message, detailsOf(response));
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
  readonly names: Names;
  /** Plural name of the rows, for the log and for errors. */
  readonly what: string;
  /** Returns undefined for a row that can't be read. */
  readonly decode: (row: JsonValue) => T | undefined;
  readonly keyOf: (item: T) => string;
  /** False for an item that wasn't requested. Default: accepts all. */
  readonly accepts?: (item: T) => boolean;
}

/** Decodes pages of a list. Throws "noList" for a response that contains none (contract section 7.7). */
export function pageDecoder<T>(
  { names, what, decode, keyOf, accepts = () => true }: ListDecoder<T>,
  logger: Logger,
): (response: CompleteResponse) => DecodedPage<T> {
  return (response) => {
    const rows = unwrapList(response.body, names);
    if (rows === undefined) throw noList(response, what);
    const all = decodeRows(rows, decode, what, logger);
    const keys = all.map(keyOf);
    return { items: all.filter(accepts), keys, count: rows.length, marks: keys };
  };
}

interface Readable {
  readonly keys: readonly string[];
  readonly nextCursor: string | null;
}

/** Rows that move while a list is read can make one page repeat another, but not several in a row. */
const maximumRepeats = 3;

/** Reads pages in sequence until the last one, until the list repeats itself, or until the maximum. */
export async function* eachPage<T extends Readable>(
  readOne: (cursor: string | undefined) => Promise<T>,
  maximum = maximumPages,
): AsyncGenerator<T, void, void> {
  const cursors = new Set<string>();
  const keys = new Set<string>();
  let cursor: string | undefined;
  let repeats = 0;
  for (let count = 0; count < maximum; count += 1) {
    const page: T = await readOne(cursor);
    yield page;
    repeats = page.keys.every((key) => keys.has(key)) ? repeats + 1 : 0;
    if (page.nextCursor === null || cursors.has(page.nextCursor) || repeats === maximumRepeats) return;
    for (const key of page.keys) keys.add(key);
    cursors.add(page.nextCursor);
    cursor = page.nextCursor;
  }
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Maximum number of pages without an item that was requested. */
const maximumIdlePages = 1000;

/**
 * Reads page after page until there are as many items as wanted, or the list ends. The pages after the first leave room for the user's own
 * requests. Throws "unreadable" for a list that goes on and on without an item that was requested.
 */
export async function readWhole<T>(
  { limit, purpose, signal }: WholeRead,
  keyOf: (item: T) => string,
  readOne: (query: PageQuery, options: CallOptions) => Promise<KeyedPage<T>>,
): Promise<readonly T[]> {
  const size = Math.min(limits.maximumPageSize, limit);
  const found = new Map<string, T>();
  let idle = 0;
  const pages = eachPage(
    (cursor) =>
      cursor === undefined
        ? readOne({ limit: size }, { signal })
        : readOne({ limit: size, cursor }, { signal, purpose }),
    Infinity,
  );
  for await (const { items } of pages) {
    const before = found.size;
    for (const item of items) found.set(keyOf(item), item);
    if (found.size >= limit) break;
    idle = found.size > before ? 0 : idle + 1;
    if (idle > maximumIdlePages)
      throw new ServiceError({ kind: 'unreadable', cause: 'incomplete' }, 'The list does not end.');
  }
  return [...found.values()].slice(0, limit);
}
