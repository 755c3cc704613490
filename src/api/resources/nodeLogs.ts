import type { Logger } from '../../base/logger.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { isServiceError } from '../../domain/errors.ts';
import { limits, operations } from '../../protocol/operations.ts';
import { readNextCursor } from '../decode/envelope.ts';
import { decodeNodeLog, logRows, orderNodeLogs, recordRows } from '../decode/nodeLog.ts';
import { isJsonType } from '../../protocol/body.ts';
import type { Answer } from '../request/answers.ts';
import type { Transport } from '../request/transport.ts';
import { decodeRows, eachPage, pageOrigin, unreadable } from './resource.ts';

interface LogPage {
  readonly rows: readonly NodeLog[];
  readonly keys: readonly string[];
  readonly nextCursor: string | null;
  /** Size of the whole response in characters. */
  readonly size: number;
}

/** Rows without duplicates, in order. isWhole: false when there are more than are read in one go. */
export interface LogsRead {
  readonly rows: readonly NodeLog[];
  readonly isWhole: boolean;
}

export interface NodeLogDeps {
  readonly transport: Transport;
  readonly logger: Logger;
  /** Reads the execution's record, which may contain the rows where there's no endpoint for them. */
  readonly get: () => Promise<Execution>;
  /** Values for the path's placeholders. */
  readonly values: { readonly executionId: string; readonly workflowId?: string };
}

/** Maximum size of the responses read in one go, in characters, to limit the memory used. */
const maximumSize = 64 * 1024 * 1024;

/** Decodes the rows of one response. before: number of rows on earlier pages. Throws "unreadable" when it contains no rows. */
function decodeLogPage(answer: Answer, cursor: string | undefined, before: number, logger: Logger): LogPage {
  const isText = answer.body === undefined || !(isJsonType(answer.mediaType) || answer.mediaType === '');
  const found = logRows(isText ? answer.text : answer.body);
  if (found === undefined) throw unreadable(answer, 'node logs');
  const rows = decodeRows(found, (row, position) => decodeNodeLog(row, before + position), 'rows', logger);
  const nextCursor = readNextCursor(answer.body, found.length, pageOrigin(answer, cursor));
  return { rows, keys: rows.map(({ key }) => key), nextCursor, size: answer.text.length };
}

async function readAllPages(
  { transport, logger, values }: NodeLogDeps,
  after: number | undefined,
  options?: CallOptions,
): Promise<LogsRead> {
  let rows: readonly NodeLog[] = [];
  let size = 0;
  let isWhole = true;
  const request = {
    operation: operations.listNodeLogs,
    values: { ...values },
    query: { after, limit: limits.maximumPageSize },
  };
  const pages = eachPage(async (cursor) => {
    const answer = await transport.call({ ...request, cursor }, options);
    return decodeLogPage(answer, cursor, rows.length, logger);
  });
  for await (const page of pages) {
    rows = rows.concat(page.rows);
    size += page.size;
    isWhole = page.nextCursor === null;
    if (size >= maximumSize) break;
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

/** Reads the rows after a sequence, without duplicates and in order, in any supported shape: at most 50 pages and 64 Mi characters. */
export async function readLogs(
  deps: NodeLogDeps,
  after: number | undefined,
  options?: CallOptions,
): Promise<LogsRead> {
  let read: LogsRead | undefined;
  try {
    read = await readAllPages(deps, after, options);
  } catch (error) {
    if (!isServiceError(error, 'notOffered')) throw error;
    read = await readFromDetails(deps);
    if (read === undefined) throw error;
  }
  // A service may ignore "after".
  const rows = orderNodeLogs(read.rows).filter(
    ({ sequence }) => after === undefined || sequence === null || sequence > after,
  );
  return { ...read, rows };
}
