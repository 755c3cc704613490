import { BoundedMap } from '../../base/boundedMap.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { ifOffered, type Impossibility, isServiceError, ServiceError } from '../../domain/errors.ts';
import type { Execution, Output, Triggered } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions, ExecutionQuery, Page } from '../../domain/queries.ts';
import type { RetryRequest } from '../../protocol/requests.ts';
import { isHtml } from '../errors/errorText.ts';
import type { CompleteResponse } from '../http/completeResponse.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyedPage } from '../resources/pageReader.ts';
import { readWhole, unreadable } from '../resources/resource.ts';
import type { ExecutionPort, FollowItem, LogsRead, WholeRead } from '../servicePort.ts';
import { pollExecution } from '../stream/nodeLogs.ts';
import type { FollowTools } from '../stream/retry.ts';
import {
  compareIds,
  decodeN8nExecution,
  decodeRanDefinition,
  decodeVersion,
  executionNotKept,
  hasSameNodes,
} from './decode.ts';
import { startLong } from './longStart.ts';
import { maximumPageSize, n8nOperations } from './operations.ts';
import { readN8nPage } from './pages.ts';
import { refuse } from './refusing.ts';
import { correlationIn, decodeRunData, isDataLeftOut, type RunReading } from './runData.ts';

interface ExecutionDeps extends FollowTools {
  readonly transport: Transport;
  readonly logger: Logger;
}

/** An execution with what its nodes did. */
interface Run {
  readonly execution: Execution;
  readonly reading: Pick<RunReading, 'rows'>;
}

interface RanDocument {
  /** As its record has it. */
  readonly execution: Execution;
  readonly definition: JsonObject;
  /** False for the one in the record, in which n8n has filled in the parameters that nobody wrote. */
  readonly isSaved: boolean;
  /** As text, in characters. */
  readonly size: number;
}

/** n8n's words for the states that it filters by. */
const wordOf: ReadonlyMap<string, string> = new Map([
  ['queued', 'new'],
  ['completed', 'success'],
  ['failed', 'error'],
  ['cancelled', 'canceled'],
]);

/** What n8n's list leaves out: running ones where no state is asked for, and crashed ones among those that failed. */
const leftOutBy: ReadonlyMap<string | undefined, string> = new Map([
  [undefined, 'running'],
  ['failed', 'crashed'],
]);

/** Milliseconds between two polls at least. */
const leastPauseMs = 2000;
/** How many of the newest executions are looked at for one that was started just now. */
const correlated = 10;
/** How much of the documents that executions ran is kept. */
const maximumCharacters = 4 * 1024 * 1024;
/** Maximum number of executions that are remembered to have been there. */
const maximumSeen = 10_000;

const nothing: KeyedPage<Execution> = { items: [], keys: [], nextCursor: null, size: 0 };

function notPossible(because: Impossibility, message: string): ServiceError {
  return new ServiceError({ kind: 'notPossible', because }, message);
}

function newestFirst(left: Execution, right: Execution): number {
  const later = (right.startedAt?.getTime() ?? Infinity) - (left.startedAt?.getTime() ?? Infinity);
  return Number.isNaN(later) || later === 0 ? compareIds(right.id, left.id) : later;
}

export class N8nExecutions implements ExecutionPort {
  readonly #deps: ExecutionDeps;
  /** What was there once and isn't found any more has ended, and n8n doesn't keep it. */
  readonly #seen = new BoundedMap<string, true>(maximumSeen);
  /** The correlation ids of the webhook calls that started executions; '' for one that had none. */
  readonly #correlations = new BoundedMap<string, string>(maximumSeen);
  /** What executions ran. */
  readonly #definitions = new BoundedMap<string, RanDocument>(maximumCharacters, ({ size }) => size);
  /** What the data of those that others started say of them. */
  readonly #parents = new BoundedMap<string, Pick<Execution, 'parent' | 'raw'>>(maximumSeen);
  /** When the data of one that runs were read for that last. */
  readonly #lookedAt = new BoundedMap<string, number>(maximumSeen);

  constructor(deps: ExecutionDeps) {
    this.#deps = deps;
  }

  /** Takes an execution that was started just now: one that's never found has ended then, and n8n doesn't keep it. */
  noteStarted(executionId: string): void {
    this.#seen.set(executionId, true);
  }

  async list(query: ExecutionQuery, options?: CallOptions): Promise<Page<Execution>> {
    const { items, nextCursor } = await this.#readPage(query, options);
    return { items, nextCursor };
  }

  /** Each list by itself: what the one leaves out may be as old as anything in the other. */
  async listWhole(
    query: Pick<ExecutionQuery, 'workflowId' | 'status'>,
    read: WholeRead,
  ): Promise<readonly Execution[]> {
    const keyOf = ({ id }: Execution): string => id;
    const listOf = (status: ExecutionQuery['status']): Promise<readonly Execution[]> =>
      readWhole(read, keyOf, (position, options) =>
        this.#readList({ ...query, ...(status === undefined ? {} : { status }), ...position }, options),
      );
    const other = leftOutBy.get(query.status);
    // One that ends between the two is in both then, and the later record is the truer one.
    const others = other === undefined ? [] : await listOf(other);
    const all = new Map([...others, ...(await listOf(query.status))].map((each) => [each.id, each]));
    return [...all.values()].toSorted(newestFirst).slice(0, read.limit);
  }

  async get(executionId: string, options?: CallOptions): Promise<Execution> {
    const request = { operation: n8nOperations.getExecution, values: { executionId } };
    const read = async () => this.#decode(await this.#deps.transport.call(request, options));
    const execution = await this.#orEnded(executionId, read(), executionNotKept(executionId));
    if (execution.parent !== undefined) return execution;
    // Only the data say which execution started this one.
    const known = this.#parents.get(executionId);
    if (known === undefined) return this.getWithInput(executionId, options);
    return { ...execution, parent: known.parent, raw: { ...execution.raw, ...known.raw } };
  }

  async getWithInput(executionId: string, options?: CallOptions): Promise<Execution> {
    return (await this.#readRunOrEnd(executionId, options)).execution;
  }

  async cancel(executionId: string, options?: CallOptions): Promise<Execution> {
    const request = { operation: n8nOperations.stopExecution, values: { executionId } };
    try {
      const { body } = await this.#deps.transport.call(request, options);
      const execution = decodeN8nExecution(body);
      return execution?.id === executionId ? execution : await this.get(executionId, options);
    } catch (error) {
      throw isServiceError(error, 'conflict') ? notPossible('ended', error.message) : error;
    }
  }

  /** Never asked for one that runs, because n8n would run it a second time. */
  async retry(executionId: string, request: RetryRequest, options?: CallOptions): Promise<Triggered> {
    const { fromNodeId, definition } = request;
    if (fromNodeId !== undefined) return refuse('Retrying from a node');
    const { status, workflowId } = await this.get(executionId, options);
    if (!status.isTerminal) throw notPossible('notEnded', 'The execution has not ended.');
    if (status.state === 'completed') throw notPossible('completed', 'The execution succeeded.');
    const { retryExecution: operation } = n8nOperations;
    const body = { loadWorkflow: definition === 'deployed' };
    const send = async (signal: AbortSignal): Promise<Execution> => {
      const sent = { operation, values: { executionId }, body };
      return this.#decode(await this.#deps.transport.call(sent, { ...options, signal }));
    };
    const isRetry = ({ retryOf }: Execution): boolean => retryOf === executionId;
    const { id, status: now } = await this.startLong(workflowId, send, isRetry, options);
    const triggered = { workflowId: workflowId ?? '', eventIds: [], respondedAt: null };
    return { ...triggered, executionIds: [id], status: now.word };
  }

  /** Starts what n8n responds to only after its end, and resolves once it's known. `send`: resolves after the end; aborted before, n8n goes on. */
  startLong(
    workflowId: string | null,
    send: (signal: AbortSignal) => Promise<Execution>,
    isWanted: (execution: Execution) => boolean,
    options?: CallOptions,
  ): Promise<Execution> {
    const newest = { limit: correlated, ...(workflowId === null ? {} : { workflowId }) };
    const list = async (signal: AbortSignal | undefined): Promise<readonly Execution[]> =>
      (await this.#readPage(newest, { ...options, signal })).items;
    return startLong({ clock: this.#deps.clock, list, send }, isWanted, options?.signal);
  }

  async output(executionId: string, options?: CallOptions): Promise<Output> {
    const { status, output, error } = (await this.#readRunOrEnd(executionId, options)).execution;
    return status.isTerminal && status.notKeptBy === undefined
      ? { kind: 'ready', output: output ?? null, error }
      : { kind: 'notReady', status };
  }

  /** Reads the record only if it wasn't read just before, for its rows; then the version that it names, as that was saved. */
  async definition(executionId: string, options?: CallOptions): Promise<JsonObject> {
    if (this.#definitions.get(executionId) === undefined) await this.#readRun(executionId, options);
    const ran = this.#definitions.get(executionId);
    if (ran === undefined) throw new ServiceError({ kind: 'notFound' }, 'The record has no document.');
    if (ran.isSaved) return ran.definition;
    const definition = { ...ran.definition, ...(await this.#readSaved(ran, options)) };
    this.#definitions.set(executionId, { ...ran, definition, isSaved: true });
    return definition;
  }

  /** Resolves with the nodes and connections of the version; with undefined where there's none to read, or the execution ran a document of its own. */
  async #readSaved(
    { execution: { workflowId, definitionVersion }, definition }: RanDocument,
    options: CallOptions | undefined,
  ): Promise<JsonObject | undefined> {
    if (workflowId === null || definitionVersion === null) return undefined;
    const values = { workflowId, versionId: definitionVersion };
    const operation = n8nOperations.getWorkflowVersion;
    try {
      const call = this.#deps.transport.call({ operation, values }, options);
      const version = decodeVersion((await ifOffered(call))?.body);
      return version !== undefined && hasSameNodes(version, definition) ? version : undefined;
    } catch (error) {
      // The key may read executions, and no workflows.
      if (isServiceError(error, 'forbidden')) return undefined;
      throw error;
    }
  }

  /** All rows, because n8n has no position to read after. */
  async logs(executionId: string, _position: unknown, options?: CallOptions): Promise<LogsRead> {
    const { reading } = await this.#readRunOrEnd(executionId, options);
    return { rows: reading.rows, isWhole: true };
  }

  async getNodeLog(executionId: string, logId: string, options?: CallOptions): Promise<NodeLog> {
    const { reading } = await this.#readRun(executionId, options);
    const row = reading.rows.find(({ key }) => key === logId);
    if (row === undefined) throw new ServiceError({ kind: 'notFound' }, 'There is no such node log.');
    return row;
  }

  /** Polls. One that isn't found any more has ended: see `statusNotKept`. */
  follow(executionId: string, _position: unknown, signal: AbortSignal): AsyncIterable<FollowItem> {
    let rows: readonly NodeLog[] = [];
    const deps = {
      ...this.#deps,
      leastPauseMs,
      get: async (_id: string, options?: CallOptions) => {
        const { execution, reading } = await this.#readRunOrEnd(executionId, options);
        ({ rows } = reading);
        return execution;
      },
      readLogs: () => Promise.resolve({ rows, isWhole: true }),
    };
    return pollExecution(deps, executionId, signal);
  }

  async #readPage(query: ExecutionQuery, options?: CallOptions): Promise<KeyedPage<Execution>> {
    const { status, startedAfter = null, startedBefore = null, cursor, eventId } = query;
    if (eventId !== undefined) return this.#readCorrelated(query, eventId, options);
    // One that ends between the two reads is in both then, and the later record is the truer one.
    const other = cursor === undefined ? leftOutBy.get(status) : undefined;
    const others = other
      ? await this.#readList({ ...query, status: other, limit: maximumPageSize }, options)
      : nothing;
    const page = await this.#readList(query, options);
    const all = new Map([...others.items, ...page.items].map((each) => [each.id, each]));
    const isWithin = ({ startedAt }: Execution): boolean =>
      startedAt === null ||
      ((startedBefore === null || startedAt < startedBefore) &&
        (startedAfter === null || startedAt >= startedAfter));
    const items = [...all.values()].filter(isWithin);
    return { ...page, items: items.toSorted(newestFirst), keys: [...all.keys()] };
  }

  /** n8n knows no events. What a webhook was sent with is found by the header that it stores, among the newest of the workflow. */
  async #readCorrelated(
    { workflowId, cursor }: ExecutionQuery,
    eventId: string,
    options?: CallOptions,
  ): Promise<KeyedPage<Execution>> {
    const newest =
      cursor === undefined
        ? await this.#readPage(
            { ...(workflowId === undefined ? {} : { workflowId }), limit: correlated },
            options,
          )
        : { items: [] };
    const items: Execution[] = [];
    for (const execution of newest.items.slice(0, correlated)) {
      const known = this.#correlations.get(execution.id);
      const correlation = known ?? (await this.#readCorrelation(execution, options));
      if (correlation === eventId) items.push({ ...execution, eventIds: [eventId] });
    }
    return { items, keys: items.map(({ id }) => id), nextCursor: null, size: 0 };
  }

  async #readCorrelation({ id, status }: Execution, options?: CallOptions): Promise<string | undefined> {
    const now = this.#deps.clock.now();
    if (!status.isTerminal && now - (this.#lookedAt.get(id) ?? -Infinity) < leastPauseMs) return undefined;
    this.#lookedAt.set(id, now);
    const response = await ifOffered(this.#readData(id, options));
    const correlation = isJsonObject(response?.body) ? correlationIn(response.body) : undefined;
    // It stays the same; of one that runs it may not be known yet.
    if (correlation !== undefined || status.isTerminal) this.#correlations.set(id, correlation ?? '');
    return correlation;
  }

  async #readList(query: ExecutionQuery, options?: CallOptions): Promise<KeyedPage<Execution>> {
    const { workflowId, status, startedAfter, limit, cursor } = query;
    const request = {
      operation: n8nOperations.listExecutions,
      query: {
        workflowId,
        status: status === undefined ? undefined : (wordOf.get(status) ?? status),
        startedAfter: startedAfter?.toISOString(),
        limit: limit === undefined ? undefined : Math.min(limit, maximumPageSize),
        // It holds no filters, so they are repeated.
        cursor,
      },
      what: 'executions',
      decode: decodeN8nExecution,
    };
    try {
      const page = await readN8nPage(this.#deps, request, options);
      for (const { id } of page.items) this.#seen.set(id, true);
      return page;
    } catch (error) {
      // An older version has fewer states to ask for.
      if (isServiceError(error, 'invalid') && error.message.startsWith('request/query/status'))
        return nothing;
      throw error;
    }
  }

  #decode(response: CompleteResponse): Execution {
    const execution = decodeN8nExecution(response.body);
    if (execution === undefined) throw unreadable(response, 'an execution');
    this.#seen.set(execution.id, true);
    return execution;
  }

  async #readRun(executionId: string, options?: CallOptions): Promise<Run> {
    const response = await this.#readData(executionId, options);
    const execution = this.#decode(response);
    if (!isJsonObject(response.body)) throw unreadable(response, 'an execution');
    this.#keepDefinition(execution, response.body);
    this.#keepParent(execution);
    const reading = decodeRunData(response.body, this.#deps.logger);
    const { input, output, error, startedAt } = reading;
    const triggerNode = startedAt === undefined ? {} : { triggerNode: startedAt };
    const ended = execution.status.isTerminal ? { output, error } : {};
    return { execution: { ...execution, input, ...triggerNode, ...ended }, reading };
  }

  #keepParent({ id, parent, raw: { parentExecution } }: Execution): void {
    if (parentExecution !== undefined) this.#parents.set(id, { parent, raw: { parentExecution } });
  }

  /** It never changes. */
  #keepDefinition(execution: Execution, record: JsonObject): void {
    if (this.#definitions.get(execution.id) !== undefined) return;
    const definition = decodeRanDefinition(record);
    if (definition === undefined) return;
    const size = stringifyJson(definition).length;
    this.#definitions.set(execution.id, { execution, definition, isSaved: false, size });
  }

  #readRunOrEnd(executionId: string, options?: CallOptions): Promise<Run> {
    const notKept = { execution: executionNotKept(executionId), reading: { rows: [] } };
    return this.#orEnded(executionId, this.#readRun(executionId, options), notKept);
  }

  /** What isn't found any more although it was there has ended. */
  async #orEnded<T>(executionId: string, reading: Promise<T>, notKept: T): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if (isServiceError(error, 'notFound') && this.#seen.get(executionId) === true) return notKept;
      throw error;
    }
  }

  async #readData(executionId: string, options?: CallOptions): Promise<CompleteResponse> {
    const ask = async (query: Readonly<Record<string, boolean>>): Promise<CompleteResponse> => {
      const { getExecution: operation } = n8nOperations;
      const request = { operation, values: { executionId }, query, isOutput: true };
      const response = await this.#deps.transport.call(request, options);
      if (!isHtml(response)) return response;
      const message = 'A web page came where n8n should have responded.';
      throw new ServiceError({ kind: 'unreadable', cause: 'webPage' }, message, { status: response.status });
    };
    const response = await ask({ includeData: true });
    const isLeftOut = isJsonObject(response.body) && isDataLeftOut(response.body);
    return isLeftOut ? ask({ includeData: true, ignoreDataSizeLimit: true }) : response;
  }
}
