import type { Execution, Output } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions, ExecutionQuery, Page } from '../../domain/queries.ts';
import { isServiceError } from '../../domain/errors.ts';
import { operations } from '../../protocol/operations.ts';
import { decodeExecution, decodeOutput } from '../decode/execution.ts';
import { decodeNodeLog, nodeLogNames } from '../decode/nodeLog.ts';
import { listNames, unwrapRecord } from '../decode/envelope.ts';
import { isJsonType } from '../../protocol/body.ts';
import type { Answer } from '../request/answers.ts';
import { followExecution, type FollowItem } from '../stream/nodeLogs.ts';
import { type LogsRead, readLogs } from './nodeLogs.ts';
import { decodePage, type ResourceDeps, unreadable } from './resource.ts';

const listDecoder = { names: listNames.executions, what: 'executions', decode: decodeExecution };

/** Statuses that mean "not yet" for an execution that exists and runs. */
const notYetStatuses = new Set([404, 409, 425]);

/** Decodes a response with the output; returns undefined when there's no output yet. */
function outputIn(answer: Answer): Output | undefined {
  const { status, body, mediaType, text } = answer;
  if (status === 202 || status === 204 || text === '') return undefined;
  if (!isJsonType(mediaType) && mediaType !== '') return { kind: 'text', text, mediaType };
  if (body === undefined) throw unreadable(answer, 'JSON');
  return decodeOutput(body);
}

/** Returns the output from the execution's own record. */
function outputOf({ status, output, error }: Execution): Output {
  if (!status.isTerminal) return { kind: 'notReady', status };
  return { kind: 'ready', output: output ?? null, error };
}

/** Every call rejects with a ServiceError, or with the signal's reason when cancelled. */
export class ExecutionCalls {
  readonly #deps: ResourceDeps;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
  }

  async list(query: ExecutionQuery, options?: CallOptions): Promise<Page<Execution>> {
    const { transport, logger } = this.#deps;
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
    const page = decodePage(answer, cursor, { ...listDecoder, accepts }, logger);
    return { ...page, items: page.items.map((execution) => this.#placed(execution, workflowId)) };
  }

  async get(executionId: string, options?: CallOptions): Promise<Execution> {
    const values = this.#values(executionId);
    const answer = await this.#deps.transport.call({ operation: operations.getExecution, values }, options);
    const execution = decodeExecution(answer.body);
    if (!execution) throw unreadable(answer, 'an execution');
    return this.#placed(execution, values.workflowId);
  }

  /** Reads the output, which may not exist yet. Falls back to the execution's record. */
  async output(executionId: string, options?: CallOptions): Promise<Output> {
    const values = this.#values(executionId);
    const request = { operation: operations.getOutput, values, isOutput: true };
    try {
      const output = outputIn(await this.#deps.transport.call(request, options));
      if (output) return output;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.reason.kind !== 'notOffered' && !notYetStatuses.has(error.status)) throw error;
      const execution = await this.get(executionId, options);
      if (execution.status.isTerminal && execution.output === undefined) throw error;
      return outputOf(execution);
    }
    return outputOf(await this.get(executionId, options));
  }

  /** Returns the rows after a sequence, oldest first, at most 50 pages and 64 Mi characters of them. */
  async logs(
    executionId: string,
    { after }: { readonly after?: number },
    options?: CallOptions,
  ): Promise<readonly NodeLog[]> {
    return (await this.#readLogs(executionId, after, options)).rows;
  }

  /** Returns one row with its whole values, which lists may cut (see cutValue). */
  async getNodeLog(executionId: string, logId: string, options?: CallOptions): Promise<NodeLog> {
    const values = { ...this.#values(executionId), logId };
    const answer = await this.#deps.transport.call({ operation: operations.getNodeLog, values }, options);
    const record = unwrapRecord(answer.body, nodeLogNames.id);
    const log = record && decodeNodeLog(record, 0);
    if (!log) throw unreadable(answer, 'a node log');
    return log;
  }

  /**
   * Follows until the execution ends: by a stream where the service has one, else by polling. Resumes after drops. Throws errors that
   * retrying can't fix.
   */
  follow(
    executionId: string,
    { after }: { readonly after?: number },
    signal: AbortSignal,
  ): AsyncIterable<FollowItem> {
    const deps = {
      ...this.#deps,
      get: (id: string, options?: CallOptions) => this.get(id, options),
      readLogs: (id: string, from: number | undefined, options: CallOptions) =>
        this.#readLogs(id, from, options),
    };
    return followExecution(deps, executionId, after, signal);
  }

  #readLogs(executionId: string, after: number | undefined, options?: CallOptions): Promise<LogsRead> {
    const { transport, logger } = this.#deps;
    const get = (): Promise<Execution> => this.get(executionId, options);
    return readLogs({ transport, logger, get, values: this.#values(executionId) }, after, options);
  }

  /** Returns the path values for an execution. */
  #values(executionId: string): { readonly executionId: string; readonly workflowId?: string } {
    const workflowId = this.#deps.workflowIds.get(executionId);
    return workflowId === undefined ? { executionId } : { executionId, workflowId };
  }

  /** Adds and remembers the execution's workflow, which items of a workflow's own list may omit. */
  #placed(execution: Execution, workflowId: string | undefined): Execution {
    const known = execution.workflowId ?? workflowId ?? null;
    if (known !== null) this.#deps.workflowIds.set(execution.id, known);
    return execution.workflowId === known ? execution : { ...execution, workflowId: known };
  }
}
