// The calls about executions (contract section 3, 11 to 14, and 7.4).
import type { Logger } from '../../base/logger.ts';
import { operations } from '../../protocol/operations.ts';
import type { CallOptions, ExecutionCalls } from '../client.ts';
import { followExecution, type FollowDeps, type FollowTools } from '../stream/follow.ts';
import { decodeExecution } from '../decode/execution.ts';
import { nodeLogNames, decodeNodeLog } from '../decode/nodeLog.ts';
import { listNames, unwrapRecord } from '../decode/unwrap.ts';
import type { Transport } from '../request/transport.ts';
import type { ExecutionPlaces } from './executionPlaces.ts';
import { readLogs } from './nodeLogs.ts';
import { fetchOutput } from './output.ts';
import { readPage, unreadable } from './pages.ts';
import type { ExecutionQuery, Page } from '../../domain/queries.ts';
import type { Execution } from '../../domain/execution.ts';

const listDecoder = { names: listNames.executions, what: 'executions', decode: decodeExecution };

export function createExecutionCalls(
  transport: Transport,
  logger: Logger,
  places: ExecutionPlaces,
  tools: FollowTools,
): ExecutionCalls {
  /** Remembers where the execution lies; a row of a workflow's own list may leave the workflow out. */
  function placed(reading: Execution, workflowId: string | undefined): Execution {
    const known = reading.workflowId ?? workflowId ?? null;
    if (known !== null) places.record(reading.id, known);
    return reading.workflowId === known ? reading : { ...reading, workflowId: known };
  }

  async function list(query: ExecutionQuery, options?: CallOptions): Promise<Page<Execution>> {
    const { cursor, startedAfter, startedBefore, ...rest } = query;
    const { workflowId } = query;
    const times = {
      startedAfter: startedAfter?.toISOString(),
      startedBefore: startedBefore?.toISOString(),
    };
    const request = {
      operation: operations.listExecutions,
      values: workflowId === undefined ? {} : { workflowId },
      query: { ...rest, ...times },
      cursor,
    };
    // A service may ignore the filter.
    const accepts = (execution: Execution): boolean =>
      workflowId === undefined || execution.workflowId === null || execution.workflowId === workflowId;
    const answer = await transport.call(request, options);
    const page = readPage(answer, cursor, { ...listDecoder, accepts }, logger);
    return { ...page, items: page.items.map((execution) => placed(execution, workflowId)) };
  }

  async function get(executionId: string, options?: CallOptions): Promise<Execution> {
    const values = places.values(executionId);
    const answer = await transport.call({ operation: operations.getExecution, values }, options);
    const reading = decodeExecution(answer.body);
    if (!reading) throw unreadable(answer, 'an execution');
    return placed(reading, values.workflowId);
  }

  const readLogsOf: FollowDeps['readLogs'] = (executionId, after, options) =>
    readLogs({ transport, logger, get, values: places.values(executionId) }, after, options);

  return {
    list,
    get,
    output: (executionId, options) => fetchOutput(transport, get, places.values(executionId), options),
    logs: async (executionId, { after }, options = {}) =>
      (await readLogsOf(executionId, after, options)).rows,
    async getNodeLog(executionId, logId, options) {
      const values = { ...places.values(executionId), logId };
      const answer = await transport.call({ operation: operations.getNodeLog, values }, options);
      const record = unwrapRecord(answer.body, nodeLogNames.id);
      const reading = record && decodeNodeLog(record, 0);
      if (!reading) throw unreadable(answer, 'a node log');
      return reading;
    },
    follow: (executionId, { after }, signal) =>
      followExecution({ ...tools, transport, logger, get, readLogs: readLogsOf }, executionId, after, signal),
  };
}
