import { hashText } from '../../base/hashText.ts';
import { stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { isServiceError } from '../../domain/errors.ts';
import { limits, operations } from '../../protocol/operations.ts';
import { maximumPages } from '../decode/nextPage.ts';
import { decodeNodeLog, hasOwnKey, logRows, orderNodeLogs, recordRows } from '../decode/nodeLog.ts';
import { isJsonType } from '../../protocol/body.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { LogPiece, LogsRead } from '../servicePort.ts';
import type { DecodedPage, PageReader } from './pageReader.ts';
import { decodeRows, eachPage, noList } from './resource.ts';

export interface NodeLogDeps {
  readonly pages: PageReader;
  readonly logger: Logger;
  /** Reads the execution's record, which may contain the rows where there's no endpoint for them. */
  readonly get: () => Promise<Execution>;
  /** Values for the path's placeholders. */
  readonly values: { readonly executionId: string; readonly workflowId?: string };
  /** Reads all pages of rows without a sequence: nothing could go on after them. */
  readonly isFollowed: boolean;
}

/** Maximum size of the responses read in one go, in characters, to limit the memory used. */
const mostSize = 64 * 1024 * 1024;

/** Decodes the rows of one response. before: number of rows on earlier pages. Throws "noList" when it contains none. */
function decodeLogPage(response: CompleteResponse, before: number, logger: Logger): DecodedPage<NodeLog> {
  const isText =
    response.body === undefined || !(isJsonType(response.mediaType) || response.mediaType === '');
  const found = logRows(isText ? response.text : response.body);
  if (found === undefined || isNothing(response)) throw noList(response, 'node logs');
  const rows = decodeRows(found, (row, position) => decodeNodeLog(row, before + position), 'rows', logger);
  // A key made of the position is another one on each page; then all rows of the page are compared.
  const marks = rows.every(hasOwnKey) ? rows.map(({ key }) => key) : [String(hashText(stringifyJson(found)))];
  return { items: rows, keys: rows.map(({ key }) => key), count: found.length, marks };
}

/** Without a body, only a response of lines says that there are none. */
function isNothing({ text, mediaType }: CompleteResponse): boolean {
  return text.trim() === '' && (isJsonType(mediaType) || mediaType === '');
}

const isAscending = (rows: readonly NodeLog[]): boolean =>
  rows.every(
    ({ sequence }, index) =>
      sequence !== null && (index === 0 || sequence > (rows[index - 1]?.sequence ?? sequence)),
  );

async function readAllPages(
  { pages: reader, logger, values, isFollowed }: NodeLogDeps,
  { after, maximumSize = mostSize }: LogPiece,
  options?: CallOptions,
): Promise<LogsRead> {
  let isInOrder = true;
  let rows: readonly NodeLog[] = [];
  let size = 0;
  let count = 0;
  let isWhole = true;
  const request = {
    operation: operations.listNodeLogs,
    values: { ...values },
    query: { after, limit: limits.maximumPageSize },
  };
  const decode = (response: CompleteResponse): DecodedPage<NodeLog> =>
    decodeLogPage(response, rows.length, logger);
  const pages = eachPage(
    // Most services count their rows from 1, so that is how many come before.
    (cursor) => reader.read({ ...request, cursor, decode, skipped: after }, options),
    Infinity,
  );
  for await (const page of pages) {
    isInOrder &&= isAscending([...rows.slice(-1), ...page.items]);
    rows = rows.concat(page.items);
    size += page.size;
    count += 1;
    isWhole = page.nextCursor === null;
    const mostPages = isFollowed && !isInOrder ? Infinity : maximumPages;
    if (count >= mostPages || size >= (isInOrder ? maximumSize : mostSize)) break;
  }
  return { rows, isWhole };
}

/** Returns the rows in the execution's record; undefined when it has none. */
async function readFromDetails({ get, logger }: NodeLogDeps): Promise<LogsRead | undefined> {
  const found = recordRows((await get()).raw);
  if (found === undefined) return undefined;
  const rows = decodeRows(found, (row, position) => decodeNodeLog(row, position), 'rows', logger);
  return { rows, isWhole: true };
}

/** Reads the rows of a piece, without duplicates and in order, in any supported shape: at most 50 pages, unless it's followed, and 64 Mi characters. */
export async function readLogs(deps: NodeLogDeps, piece: LogPiece, options?: CallOptions): Promise<LogsRead> {
  let read: LogsRead | undefined;
  try {
    read = await readAllPages(deps, piece, options);
  } catch (error) {
    if (!isServiceError(error, 'notOffered')) throw error;
    read = await readFromDetails(deps);
    if (read === undefined) throw error;
  }
  const { after } = piece;
  // A service may ignore "after".
  const rows = orderNodeLogs(read.rows).filter(
    ({ sequence }) => after === undefined || sequence === null || sequence > after,
  );
  return { ...read, rows };
}
