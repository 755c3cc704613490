import type { Execution } from '../../domain/execution.ts';
import type { CallOptions, ExecutionQuery } from '../../domain/queries.ts';
import { limits, operations } from '../../protocol/operations.ts';
import { decodeExecution } from '../decode/execution.ts';
import { listNames } from '../decode/envelope.ts';
import { recordRows } from '../decode/nodeLog.ts';
import { believedMs, type KeyedPage, PageReader } from './pageReader.ts';
import { pageDecoder, type ResourceDeps, unreadable } from './resource.ts';
import { findIfListed, pagesOfDoubt, type RecordPlaces, SingleRecords } from './singleRecords.ts';

/** A part of an execution that some services keep in its record, and others only in the record that the list shows. */
export type RecordPart = 'input' | 'output' | 'logs';

type RecordsDeps = Pick<ResourceDeps, 'transport' | 'logger' | 'workflowIds' | 'clock'>;

const keyOf = ({ id }: Execution): string => id;
const listDecoder = { names: listNames.executions, what: 'executions', decode: decodeExecution, keyOf };

const has: Readonly<Record<RecordPart, (execution: Execution) => boolean>> = {
  input: ({ input }) => input !== undefined,
  output: ({ output }) => output !== undefined,
  logs: ({ raw }) => recordRows(raw) !== undefined,
};

/** Reads the records of executions where the service keeps them, and remembers which of the places has which part. */
export class ExecutionRecordReader {
  readonly #deps: RecordsDeps;
  readonly #singles: SingleRecords<Execution>;
  readonly #pages: PageReader;
  /** Parts that only the list's records have. */
  readonly #listed = new Set<RecordPart>();
  /** Until when the list isn't searched for a part again. */
  readonly #missingUntil = new Map<RecordPart, number>();

  constructor(deps: RecordsDeps) {
    this.#deps = deps;
    this.#singles = new SingleRecords(deps.clock);
    this.#pages = new PageReader(deps);
  }

  /** Returns the path values for an execution. */
  values(executionId: string): { readonly executionId: string; readonly workflowId?: string } {
    const workflowId = this.#deps.workflowIds.get(executionId);
    return workflowId === undefined ? { executionId } : { executionId, workflowId };
  }

  async page(query: ExecutionQuery, options?: CallOptions): Promise<KeyedPage<Execution>> {
    const { cursor, startedAfter, startedBefore, failedNodeId, ...rest } = query;
    const { workflowId } = query;
    const times = {
      startedAfter: startedAfter?.toISOString(),
      startedBefore: startedBefore?.toISOString(),
    };
    const request = {
      operation: operations.listExecutions,
      values: workflowId === undefined ? {} : { workflowId },
      query: { ...rest, ...times, nodeId: failedNodeId },
      cursor,
    };
    // A service may ignore the filter.
    const accepts = (execution: Execution): boolean =>
      workflowId === undefined || execution.workflowId === null || execution.workflowId === workflowId;
    const decode = pageDecoder({ ...listDecoder, accepts }, this.#deps.logger);
    const page = await this.#pages.read({ ...request, decode }, options);
    return { ...page, items: page.items.map((execution) => this.#placed(execution, workflowId)) };
  }

  get(executionId: string, options?: CallOptions): Promise<Execution> {
    return this.#singles.read({
      ...this.#places(executionId, options),
      single: () => this.#getOne(executionId, options),
    });
  }

  /** Returns the record that has the part, or else the execution's own record, which is `known` if it was just read. */
  async getWith(
    part: RecordPart,
    executionId: string,
    options?: CallOptions,
    known?: Execution,
  ): Promise<Execution> {
    const { clock } = this.#deps;
    if (known !== undefined && has[part](known)) return known;
    const findInList = async (maximum: number): Promise<Execution | undefined> => {
      const found = await findIfListed(this.#places(executionId, options), maximum);
      return found !== undefined && has[part](found) ? found : undefined;
    };
    if (this.#listed.has(part)) {
      const found = await findInList(Infinity);
      if (found !== undefined) return found;
      this.#listed.delete(part);
    }
    const own = known ?? (await this.get(executionId, options));
    // What a running execution lacks may not exist yet.
    const mayBeListed = (this.#missingUntil.get(part) ?? 0) <= clock.now();
    if (has[part](own) || !own.status.isTerminal || !mayBeListed) return own;
    const found = await findInList(pagesOfDoubt);
    if (found === undefined) this.#missingUntil.set(part, clock.now() + believedMs);
    else this.#listed.add(part);
    return found ?? own;
  }

  async #getOne(executionId: string, options?: CallOptions): Promise<Execution> {
    const values = this.values(executionId);
    const response = await this.#deps.transport.call({ operation: operations.getExecution, values }, options);
    const execution = decodeExecution(response.body);
    if (!execution) throw unreadable(response, 'an execution');
    return this.#placed(execution, values.workflowId);
  }

  /** Where an execution's record is in the list: in that of its workflow, if that's known. */
  #places(executionId: string, options: CallOptions | undefined): Omit<RecordPlaces<Execution>, 'single'> {
    const { workflowId } = this.values(executionId);
    const query = { limit: limits.maximumPageSize, ...(workflowId === undefined ? {} : { workflowId }) };
    return {
      key: executionId,
      keyOf,
      page: (cursor) => this.page({ ...query, ...(cursor === undefined ? {} : { cursor }) }, options),
    };
  }

  /** Adds and remembers the execution's workflow, which items of a workflow's own list may omit. */
  #placed(execution: Execution, workflowId: string | undefined): Execution {
    const known = execution.workflowId ?? workflowId ?? null;
    if (known !== null) this.#deps.workflowIds.set(execution.id, known);
    return execution.workflowId === known ? execution : { ...execution, workflowId: known };
  }
}
