import { hashText } from '../../base/hashText.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../base/json.ts';
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
import {
  closeable,
  poll,
  type PollRead,
  type PollSource,
  resume,
  type StreamEnd,
  type StreamSource,
} from './resume.ts';
import type { FollowItem, LogsRead } from '../servicePort.ts';
import { type FollowTools, retryDecision, type StreamContext } from './retry.ts';
import { decodeStatus } from '../decode/status.ts';

export interface NodeLogStreamDeps extends FollowTools {
  readonly get: (executionId: string, options?: CallOptions) => Promise<Execution>;
  /** Reads the rows after a sequence, as many as are read in one go. `execution`: the record that was just read. */
  readonly readLogs: (
    execution: Execution,
    after: number | undefined,
    options: CallOptions,
  ) => Promise<LogsRead>;
  readonly transport: Transport;
  readonly logger: Logger;
  /** Milliseconds between two polls at least. Default: 0. */
  readonly leastPauseMs?: number;
}

/** Follows an execution after a sequence until it ends. Rejects with the signal's reason, or with an error that retrying can't fix. */
export function followExecution(
  deps: NodeLogStreamDeps,
  executionId: string,
  after: number | undefined,
  signal: AbortSignal,
): AsyncIterable<FollowItem> {
  return closeable((inner) => {
    const context = { ...deps, purpose: 'following', signal: inner } as const;
    return resume(new NodeLogStream(context, executionId, after), context);
  }, signal);
}

/** Like `followExecution`, where the service has no stream: polls from the start. */
export function pollExecution(
  deps: NodeLogStreamDeps,
  executionId: string,
  signal: AbortSignal,
): AsyncIterable<FollowItem> {
  return closeable((inner) => {
    const context = { ...deps, purpose: 'following', signal: inner } as const;
    return new NodeLogStream(context, executionId, undefined).withoutStream();
  }, signal);
}

function itemsOf(logs: readonly NodeLog[]): readonly FollowItem[] {
  return logs.length === 0 ? [] : [{ kind: 'logs', logs }];
}

/** Returns a hash of the members that change when a service writes a later state under the same key. */
function hashRows(rows: readonly NodeLog[]): number {
  return rows.reduce((hash, { key, sequence, status, message, level, completedAt, output }) => {
    const row = [hash, key, sequence, status?.word, message, level, completedAt, output];
    return hashText(stringifyJson(row));
  }, 0);
}

/** Streams the node logs of one execution. Ends with the execution's final status, not just because the stream ends. */
class NodeLogStream implements StreamSource<FollowItem> {
  readonly droppedMessage = 'The stream stopped before the execution ended.';
  readonly decide = retryDecision;
  readonly #context: NodeLogStreamDeps & StreamContext;
  readonly #executionId: string;
  /** The highest sequence so far. */
  #after: number | undefined;
  /** The id of the stream's last event. */
  #lastEventId: string | undefined;
  /** How many rows have come, repeated ones included: the position of the next one. */
  #count = 0;
  /** What identifies the rows of the last poll. */
  #polled = 0;

  constructor(context: NodeLogStreamDeps & StreamContext, executionId: string, after: number | undefined) {
    this.#context = context;
    this.#executionId = executionId;
    this.#after = after;
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
    return {
      operation: operations.listNodeLogs,
      values: { executionId: this.#executionId },
      query: { after: this.#after },
      headers: this.#lastEventId ? { 'Last-Event-ID': this.#lastEventId } : {},
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
      else if (event.kind === 'data') this.#decode(event.data, logs);
      if (event.id !== undefined && isResumable(event.id)) this.#lastEventId = event.id;
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
    return this.#restart() ? [] : undefined;
  }

  withoutStream(): AsyncGenerator<FollowItem, void, void> {
    const { clock, random, signal, leastPauseMs = 0 } = this.#context;
    const source: PollSource<FollowItem> = {
      opened: { kind: 'open', by: 'polling' },
      decide: this.decide,
      read: () => this.#poll(),
      restart: () => this.#restart(),
      // Jitter keeps executions that started together from being polled together.
      pause: (idlePolls) =>
        wait(
          clock,
          Math.max(leastPauseMs, Math.round(pollDelay('watched', idlePolls) * (0.9 + random() / 5))),
          signal,
        ),
    };
    return poll(source, this.#context);
  }

  /** Adds the rows of an event. */
  #decode(data: JsonValue, logs: NodeLog[]): void {
    const found = logRows(data) ?? [];
    let position = this.#count;
    let isWhole = found.length > 0;
    for (const each of found) {
      const row = decodeNodeLog(each, position);
      position += 1;
      if (row === undefined) isWhole = false;
      else {
        this.#pass(row);
        logs.push(row);
      }
    }
    if (!isWhole) this.#context.logger.debug('An event of a log stream held no row.');
  }

  /** Moves past a row. */
  #pass({ sequence }: NodeLog): void {
    this.#count += 1;
    if (sequence !== null) this.#after = Math.max(this.#after ?? sequence, sequence);
  }

  /** Goes back to the start. Returns false when it's already there. */
  #restart(): boolean {
    if (this.#after === undefined) return false;
    this.#after = undefined;
    this.#lastEventId = undefined;
    return true;
  }

  #readExecution(): Promise<Execution> {
    const { get, purpose, signal } = this.#context;
    return get(this.#executionId, { signal, purpose });
  }

  /** Reads the rows after the known ones. isWhole: there are no more. */
  async #readNew(execution: Execution): Promise<LogsRead> {
    const { readLogs, purpose, signal } = this.#context;
    const after = this.#after;
    const { rows, isWhole } = await readLogs(execution, after, { signal, purpose });
    for (const row of rows) this.#pass(row);
    // If the position hasn't moved, the same rows would be read again.
    return { rows, isWhole: isWhole || this.#after === after };
  }

  /** Reads the status before the rows, so that no rows are missing at the end. */
  async #poll(): Promise<PollRead<FollowItem>> {
    const execution = await this.#readExecution();
    const { status } = execution;
    const { rows, isWhole } = await this.#readNewOrNone(execution);
    const isOver = status.isTerminal && isWhole;
    const polled = hashRows(rows);
    // A service that can't be asked for later rows repeats all of them.
    const isNew = rows.length > 0 && polled !== this.#polled;
    this.#polled = polled;
    const items = isNew ? itemsOf(rows) : [];
    return {
      items: isOver ? [...items, { kind: 'end', status }] : items,
      isNew,
      isMore: !isWhole,
      isOver,
    };
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
