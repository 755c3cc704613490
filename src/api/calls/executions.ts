// Why: the calls about executions (contract section 3, 11 to 14, and 7.4).
import type { Logger } from '../../base/logger.ts';
import { operations } from '../../protocol/operations.ts';
import type { CallOptions, ExecutionCalls, ExecutionQuery, Page } from '../client.ts';
import { followExecution } from '../following/follow.ts';
import type { FollowTools } from '../following/follow.ts';
import { readExecution } from '../reading/execution.ts';
import { listNames } from '../reading/unwrap.ts';
import type { ExecutionReading } from '../readings.ts';
import type { Transport } from '../transport/transport.ts';
import { readLogs } from './nodeLogs.ts';
import { fetchOutput } from './output.ts';
import { readPage, unreadable } from './pages.ts';

const listReading = { names: listNames.executions, what: 'executions', read: readExecution };

export function createExecutionCalls(
  transport: Transport,
  logger: Logger,
  tools: FollowTools,
): ExecutionCalls {
  async function list(query: ExecutionQuery, options?: CallOptions): Promise<Page<ExecutionReading>> {
    const { cursor, startedAfter, startedBefore, ...rest } = query;
    const times = {
      startedAfter: startedAfter?.toISOString(),
      startedBefore: startedBefore?.toISOString(),
    };
    const request = { operation: operations.listExecutions, query: { ...rest, ...times }, cursor };
    const page = readPage(await transport.call(request, options), cursor, listReading, logger);
    // A service may ignore the filter.
    const isWanted = ({ workflowId }: ExecutionReading): boolean =>
      query.workflowId === undefined || workflowId === null || workflowId === query.workflowId;
    return { ...page, items: page.items.filter(isWanted) };
  }

  async function get(executionId: string, options?: CallOptions): Promise<ExecutionReading> {
    const request = { operation: operations.getExecution, values: { executionId } };
    const answer = await transport.call(request, options);
    const reading = readExecution(answer.body);
    if (!reading) throw unreadable(answer, 'an execution');
    return reading;
  }

  const logs: ExecutionCalls['logs'] = (executionId, { after }, options) =>
    readLogs(transport, logger, executionId, after, options);

  return {
    list,
    get,
    output: (executionId, options) => fetchOutput(transport, get, executionId, options),
    logs,
    follow: (executionId, { after }, signal) =>
      followExecution({ ...tools, transport, logger, get, logs }, executionId, after, signal),
  };
}
