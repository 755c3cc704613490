import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { wait } from '../../base/time.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { pollDelay } from '../../domain/budget.ts';
import { isServiceError } from '../../domain/errors.ts';
import { operations } from '../../protocol/operations.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { decodeNodeLog, logRows } from '../decode/nodeLog.ts';
import type { ServiceRequest } from '../request/request.ts';
import type { Transport } from '../request/transport.ts';
import { type DataEvent, isResumable } from './events.ts';
import { LogPosition } from './logPosition.ts';
import {
  closeable,
  poll,
  type PollRead,
  type PollSource,
  resume,
  type StreamEnd,
  type StreamSource,
} from './resume.ts';
import { type FollowTools, type Interruption, retryDecision, type StreamContext } from './retry.ts';
import { decodeStatus } from '../decode/status.ts';
import type { Status } from '../../domain/status.ts';

/** The items of a followed execution. */
export type FollowItem =
  | Interruption
  | { readonly kind: 'open'; readonly by: 'stream' | 'polling' }
  /**
   * Rows that arrived together, in order, at least one. A row is repeated only when the service changed it, or when a service repeats more
   * than the last 20,000; its key identifies it.
   */
  | { readonly kind: 'logs'; readonly logs: readonly NodeLog[] }
  /** The execution's end, as reported by the service. */
  | { readonly kind: 'end'; readonly status: Status };

/** Rows without duplicates, in order. isWhole: false when there are more than are read in one go. */
export interface LogsRead {
  readonly rows: readonly NodeLog[];
  readonly isWhole: boolean;
}

export interface FollowDeps extends FollowTools {
  readonly get: (executionId: string, options?: CallOptions) => Promise<Execution>;
  /** Reads the rows after a sequence, as many as are read in one go. `execution`: the record that was just read. */
  readonly readLogs: (
    execution: Execution,
    after: number | undefined,
    options: CallOptions,
  ) => Promise<LogsRead>;
  readonly transport: Transport;
  readonly logger: Logger;
}

/** Follows an execution after a sequence until it ends. Rejects with the signal's reason, or with an error that retrying can't fix. */
export function followExecution(
  deps: FollowDeps,
  executionId: string,
  after: number | undefined,
  signal: AbortSignal,
): AsyncIterable<FollowItem> {
  return closeable((inner) => {
    const context = { ...deps, purpose: 'following', signal: inner } as const;
    return resume(new NodeLogStream(context, executionId, after), context);
  }, signal);
}

function itemsOf(logs: readonly NodeLog[]): readonly FollowItem[] {
  return logs.length === 0 ? [] : [{ kind: 'logs', logs }];
}

/** Streams the node logs of one execution. Ends with the execution's final status, not just because the stream ends. */
class NodeLogStream implements StreamSource<FollowItem> {
  readonly droppedMessage = 'The stream stopped before the execution ended.';
  readonly decide = retryDecision;
  readonly #context: FollowDeps & StreamContext;
  readonly #executionId: string;
  readonly #position: LogPosition;

  constructor(context: FollowDeps & StreamContext, executionId: string, after: number | undefined) {
    this.#context = context;
    this.#executionId = executionId;
    this.#position = new LogPosition(after);
  }

  /** Reads the execution once. When it has ended, also yields the missing rows and the end. */
  async *check(): AsyncGenerator<FollowItem, boolean, void> {
    try {
      const execution = await this.#readExecution();
      const { status } = execution;
      if (!status.isTerminal) return false;
      for (let isMore = true; isMore;) {
        const { rows, isWhole } = await this.#readNew(execution);
        yield* itemsOf(rows);
        isMore = !isWhole;
      }
      yield { kind: 'end', status };
      return true;
    } catch (error) {
      if (isServiceError(error, 'notOffered')) return false;
      throw error;
    }
  }

  request(): ServiceRequest {
    const { after, lastEventId } = this.#position;
    return {
      operation: operations.listNodeLogs,
      values: { executionId: this.#executionId },
      query: { after },
      headers: lastEventId ? { 'Last-Event-ID': lastEventId } : {},
    };
  }

  opened(): FollowItem {
    return { kind: 'open', by: 'stream' };
  }

  take(events: readonly DataEvent[]): readonly FollowItem[] {
    const { logger } = this.#context;
    const logs: NodeLog[] = [];
    for (const event of events) {
      if (event.kind === 'unreadable')
        logger.warn('A row of a log stream is nested too deep to be read and was left out.');
      else for (const log of this.#position.take(this.#decode(event.data))) logs.push(log);
      if (event.id !== undefined && isResumable(event.id)) this.#position.lastEventId = event.id;
    }
    return itemsOf(logs);
  }

  ended(data: JsonValue | undefined): { readonly items: readonly FollowItem[]; readonly end: StreamEnd } {
    const status = isJsonObject(data) ? decodeStatus(data, false) : null;
    return status?.isTerminal === true
      ? { items: [{ kind: 'end', status }], end: 'complete' }
      : { items: [], end: 'finished' };
  }

  restart(): readonly FollowItem[] | undefined {
    return this.#position.restart() ? [] : undefined;
  }

  withoutStream(): AsyncGenerator<FollowItem, void, void> {
    const { clock, random, signal } = this.#context;
    const source: PollSource<FollowItem> = {
      opened: { kind: 'open', by: 'polling' },
      decide: this.decide,
      read: () => this.#poll(),
      restart: () => this.#position.restart(),
      // Jitter keeps executions that started together from being polled together.
      pause: (idlePolls) =>
        wait(clock, Math.round(pollDelay('watched', idlePolls) * (0.9 + random() / 5)), signal),
    };
    return poll(source, this.#context);
  }

  #decode(data: JsonValue): readonly NodeLog[] {
    const { count } = this.#position;
    const rows = (logRows(data) ?? []).map((row, index) => decodeNodeLog(row, count + index));
    if (rows.length === 0 || rows.includes(undefined))
      this.#context.logger.debug('An event of a log stream held no row.');
    return rows.filter((row) => row !== undefined);
  }

  #readExecution(): Promise<Execution> {
    const { get, purpose, signal } = this.#context;
    return get(this.#executionId, { signal, purpose });
  }

  /** Reads the rows after the known ones. isWhole: there are no more. */
  async #readNew(execution: Execution): Promise<LogsRead> {
    const { readLogs, purpose, signal } = this.#context;
    const { after } = this.#position;
    const { rows, isWhole } = await readLogs(execution, after, { signal, purpose });
    const taken = this.#position.take(rows);
    // If the position hasn't moved, the same rows would be read again.
    return { rows: taken, isWhole: isWhole || this.#position.after === after };
  }

  /** Reads the status before the rows, so that no rows are missing at the end. */
  async #poll(): Promise<PollRead<FollowItem>> {
    const execution = await this.#readExecution();
    const { status } = execution;
    const { rows, isWhole } = await this.#readNewOrNone(execution);
    const isOver = status.isTerminal && isWhole;
    const items = isOver ? [...itemsOf(rows), { kind: 'end', status } as const] : itemsOf(rows);
    return { items, isNew: rows.length > 0, isMore: !isWhole, isOver };
  }

  /** Returns no rows where the service keeps no logs; only the status is followed then. */
  async #readNewOrNone(execution: Execution): Promise<LogsRead> {
    try {
      return await this.#readNew(execution);
    } catch (error) {
      if (isServiceError(error, 'notOffered')) return { rows: [], isWhole: true };
      throw error;
    }
  }
}
