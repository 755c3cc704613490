// Why: reads an execution's node logs in full or after a row, whatever shape they come in (contract section 7.4).
import type { Logger } from '../../base/logger.ts';
import { limits, operations } from '../../protocol/operations.ts';
import type { CallOptions } from '../client.ts';
import { orderNodeLogs, readNodeLog } from '../reading/nodeLog.ts';
import { logRows } from '../reading/nodeLogShapes.ts';
import { readNextCursor } from '../reading/pages.ts';
import type { NodeLogReading } from '../readings.ts';
import type { Answer } from '../transport/answers.ts';
import { isJsonType } from '../transport/answers.ts';
import type { Transport } from '../transport/transport.ts';
import { eachPage, pageOrigin, readRows, unreadable } from './pages.ts';

interface LogPage {
  readonly rows: readonly NodeLogReading[];
  readonly nextCursor: string | null;
}

/** The rows of one answer. before: how many came on earlier pages. Throws "unreadable" when it holds no rows. */
function readLogPage(answer: Answer, cursor: string | undefined, before: number, logger: Logger): LogPage {
  const isText = answer.body === undefined || !(isJsonType(answer.mediaType) || answer.mediaType === '');
  const raw = logRows(isText ? answer.text : answer.body);
  if (raw === undefined) throw unreadable(answer, 'node logs');
  const rows = readRows(raw, (row, position) => readNodeLog(row, before + position), 'rows', logger);
  return { rows, nextCursor: readNextCursor(answer.body, raw.length, pageOrigin(answer, cursor)) };
}

/** All rows after a sequence, each once, in order. */
export async function readLogs(
  transport: Transport,
  logger: Logger,
  executionId: string,
  after: number | undefined,
  options?: CallOptions,
): Promise<readonly NodeLogReading[]> {
  const rows: NodeLogReading[] = [];
  const request = {
    operation: operations.listNodeLogs,
    values: { executionId },
    query: { after, limit: limits.maximumPageSize },
  };
  const pages = eachPage(async (cursor) => {
    const answer = await transport.call({ ...request, cursor }, options);
    return readLogPage(answer, cursor, rows.length, logger);
  });
  for await (const page of pages) rows.push(...page.rows);
  // A service may ignore "after".
  return orderNodeLogs(rows).filter(
    ({ sequence }) => after === undefined || sequence === null || sequence > after,
  );
}
