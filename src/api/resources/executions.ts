import { isJsonArray, type JsonObject } from '../../base/json.ts';
import type { Execution, Output, Triggered } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions, ExecutionQuery, Page } from '../../domain/queries.ts';
import { isServiceError } from '../../domain/errors.ts';
import { operations } from '../../protocol/operations.ts';
import { decodeExecution, decodeOutput, outputType } from '../decode/execution.ts';
import { decodeNodeLog, nodeLogNames } from '../decode/nodeLog.ts';
import { unwrapRecord } from '../decode/envelope.ts';
import { anyOf } from '../decode/fields.ts';
import type { RetryRequest } from '../../protocol/requests.ts';
import { isJsonType } from '../../protocol/body.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type {
  ExecutionPort,
  FollowItem,
  LogPiece,
  LogsRead,
  TriggerOptions,
  WholeRead,
} from '../servicePort.ts';
import { followExecution } from '../stream/nodeLogs.ts';
import { ExecutionRecordReader } from './executionRecords.ts';
import { PageReader } from './pageReader.ts';
import { readLogs } from './nodeLogs.ts';
import { bodyOf, sendTrigger } from './triggering.ts';
import { readWhole, type ResourceDeps, unreadable } from './resource.ts';

/** Statuses that mean "not yet" for an execution that exists and runs. */
const notYetStatuses = new Set([404, 409, 425]);

/** What stands beside the members of a definition that ran. */
const ofExecution = new Set(['workflowId', 'version']);

/** Decodes a response with the output; returns undefined when there's no output yet. */
function outputIn(response: CompleteResponse, executionId: string): Output | undefined {
  const { status, body, mediaType, text } = response;
  if (status === 202 || status === 204 || text === '') return undefined;
  if (!isJsonType(mediaType) && mediaType !== '') return { kind: 'text', text, mediaType };
  if (body === undefined) throw unreadable(response, 'JSON');
  return decodeOutput(body, executionId);
}

/** Returns the output from a record. */
function outputOf({ status, output, error, raw }: Execution): Output {
  const isReported = status.state !== 'unknown';
  if (!status.isTerminal && (isReported || (output ?? null) === null)) return { kind: 'notReady', status };
  const mediaType = outputType(raw);
  if (typeof output === 'string' && mediaType !== null && !isJsonType(mediaType))
    return { kind: 'text', text: output, mediaType };
  return { kind: 'ready', output: output ?? null, error };
}

/** A service may ignore the filter. wanted: our own word for a state, or the service's. */
function hasStatus({ status: { state, word } }: Execution, wanted: string | undefined): boolean {
  return wanted === undefined || state === wanted || state === 'unknown' || word === wanted;
}

/** Every call rejects with a ServiceError, or with the signal's reason when cancelled. */
export class ExecutionCalls implements ExecutionPort {
  readonly #deps: ResourceDeps;
  readonly #records: ExecutionRecordReader;
  readonly #logPages: PageReader;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
    this.#records = new ExecutionRecordReader(deps);
    this.#logPages = new PageReader(deps);
  }

  async list(query: ExecutionQuery, options?: CallOptions): Promise<Page<Execution>> {
    const { items, nextCursor } = await this.#records.page(query, options);
    return { items, nextCursor };
  }

  listWhole(
    query: Pick<ExecutionQuery, 'workflowId' | 'status' | 'kind'>,
    read: WholeRead,
  ): Promise<readonly Execution[]> {
    const keyOf = ({ id }: Execution): string => id;
    return readWhole(read, keyOf, async (position, options) => {
      const page = await this.#records.page({ ...query, ...position }, options);
      return { ...page, items: page.items.filter((each) => hasStatus(each, query.status)) };
    });
  }

  /** Searches the list where the service doesn't return single executions. */
  get(executionId: string, options?: CallOptions): Promise<Execution> {
    return this.#records.get(executionId, options);
  }

  /** Reads the record with the input, which some services keep in the list only. */
  getWithInput(executionId: string, options?: CallOptions): Promise<Execution> {
    return this.#records.getWith('input', executionId, options);
  }

  async cancel(executionId: string, options?: CallOptions): Promise<Execution> {
    const request = { operation: operations.cancelExecution, values: this.#records.values(executionId) };
    const { body } = await this.#deps.transport.call(request, options);
    const execution = decodeExecution(body);
    return execution?.id === executionId ? execution : this.get(executionId, options);
  }

  retry(executionId: string, request: RetryRequest, options?: TriggerOptions): Promise<Triggered> {
    const workflowId = this.#deps.workflowIds.get(executionId) ?? '';
    const values = this.#records.values(executionId);
    const call = { operation: operations.retryExecution, values, body: bodyOf(request), workflowId };
    return sendTrigger(this.#deps, call, options);
  }

  /** Falls back to the execution's record, and to the list's. */
  async output(executionId: string, options?: CallOptions): Promise<Output> {
    const values = this.#records.values(executionId);
    const request = { operation: operations.getOutput, values, isOutput: true };
    const getRecord = (): Promise<Execution> => this.#records.getWith('output', executionId, options);
    try {
      const output = outputIn(await this.#deps.transport.call(request, options), executionId);
      if (output) return output;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.reason.kind !== 'notOffered' && !notYetStatuses.has(error.status)) throw error;
      const execution = await getRecord();
      if (execution.status.isTerminal && execution.output === undefined) throw error;
      return outputOf(execution);
    }
    return outputOf(await getRecord());
  }

  async definition(executionId: string, options?: CallOptions): Promise<JsonObject> {
    const values = this.#records.values(executionId);
    const request = { operation: operations.getExecutionDefinition, values };
    const response = await this.#deps.transport.call(request, options);
    const definition = unwrapRecord(response.body, anyOf('nodes'));
    if (definition === undefined || !isJsonArray(definition['nodes']))
      throw unreadable(response, 'a definition');
    return Object.fromEntries(Object.entries(definition).filter(([name]) => !ofExecution.has(name)));
  }

  logs(executionId: string, piece: LogPiece, options?: CallOptions): Promise<LogsRead> {
    return this.#readLogs(executionId, piece, options);
  }

  /** Returns one row with its whole values, which lists may truncate (see truncatedValue). */
  async getNodeLog(executionId: string, logId: string, options?: CallOptions): Promise<NodeLog> {
    const values = { ...this.#records.values(executionId), logId };
    const response = await this.#deps.transport.call({ operation: operations.getNodeLog, values }, options);
    const record = unwrapRecord(response.body, nodeLogNames.id);
    const log = record && decodeNodeLog(record, 0);
    if (!log) throw unreadable(response, 'a node log');
    return log;
  }

  /** By a stream where the service has one, else by polling. */
  follow(
    executionId: string,
    { after }: { readonly after?: number },
    signal: AbortSignal,
  ): AsyncIterable<FollowItem> {
    const deps = {
      ...this.#deps,
      get: (id: string, options?: CallOptions) => this.get(id, options),
      readLogs: (execution: Execution, from: number | undefined, options: CallOptions) =>
        this.#readLogs(executionId, from === undefined ? {} : { after: from }, options, execution),
    };
    return followExecution(deps, executionId, after, signal);
  }

  /** `followed`: the record that was just read of an execution that is followed. */
  #readLogs(
    executionId: string,
    piece: LogPiece,
    options?: CallOptions,
    followed?: Execution,
  ): Promise<LogsRead> {
    const deps = {
      pages: this.#logPages,
      logger: this.#deps.logger,
      get: () => this.#records.getWith('logs', executionId, options, followed),
      values: this.#records.values(executionId),
      isFollowed: followed !== undefined,
    };
    return readLogs(deps, piece, options);
  }
}
