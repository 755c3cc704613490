// Each change of an execution, its node runs and its node log is part of one transaction, so a resumed execution never finds half of one.
import { stringifyJson } from '../../base/json.ts';
import type { LogLevel } from '../../domain/nodeLog.ts';
import { hasEnded } from '../../domain/status.ts';
import type { ExecutionErrorJson } from '../../protocol/records.ts';
import type { ExecutionUse } from './nodeLogs.ts';
import {
  keepLoopResult,
  type NodeFailure,
  type NodeOutcome,
  type NodeRunRef,
  type OpenNodeRun,
  readAttempts,
  readEnd,
  readOpenRuns,
  readPausedRuns,
  toOpenRun,
  updateAttempt,
} from './nodeRunRows.ts';
import type { SqlRow } from './database.ts';
import { executionEvent, type LockedExecution } from './lockedExecution.ts';
import type { Exchange } from './exchanges.ts';
import {
  type ReusedRun,
  reuseNodeRun,
  cancelNextAttempt,
  cancelNodeRun,
  closeNodeRun,
  logNodeRun,
  openNodeRun,
  skipNodeRun,
} from './attempts.ts';
import type { RecordedLoop } from './executionRecords.ts';
import { keepValue, readValue } from './payloads.ts';
import { integer, nullableInteger } from './rows.ts';
import { isForEach } from '../../definition/nodeTypes.ts';

export type ExecutionOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: ExecutionErrorJson };

/** The state of a node run at its start. */
export type NodeRunStart =
  | {
      readonly kind: 'started' | 'resumed';
      readonly run: OpenNodeRun;
      /** The number of failed attempts, without interrupted ones. */
      readonly failures: number;
      /** When the attempt's wait ends, in epoch milliseconds; null when it doesn't wait. */
      readonly wakeAt: number | null;
      /** A loop's list as JSON; null before it's created, and for other nodes. */
      readonly items: string | null;
      readonly use: ExecutionUse;
    }
  /** The next attempt must not start before `wakeAt`, in epoch milliseconds. */
  | { readonly kind: 'early'; readonly wakeAt: number }
  | { readonly kind: 'ended'; readonly outcome: NodeOutcome };

export interface BeginOptions {
  /** JSON. */
  readonly input: string;
  /** Whether an open attempt is resumed; if not, a row that records the interruption closes it. */
  readonly canResume: boolean;
  /** Whether the node run can't have begun before. */
  readonly isNew: boolean;
  readonly maximumAttempts: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface EndOptions {
  /** When the next attempt can start, in epoch milliseconds; without it none follows. */
  readonly retryAt?: number | undefined;
  /** A node log row before the one about the end. */
  readonly line?: NodeLine | undefined;
  readonly exchange?: Exchange | undefined;
}

export interface NodeLine {
  readonly level: LogLevel;
  readonly message: string;
}

/** Writes about one execution, which no other writer changes meanwhile. All of it is stored, or nothing. */
export class ExecutionWriter {
  readonly #execution: LockedExecution;
  /** Whether what is written may be stored already. */
  readonly #isRepeated: boolean;

  constructor(execution: LockedExecution, isRepeated: boolean) {
    this.#execution = execution;
    this.#isRepeated = isRepeated;
  }

  /** Publishes an event only when the status changes; does nothing when the execution has ended. Crashes aren't counted while it waits. */
  setStatus(status: 'running' | 'waiting'): void {
    const { transaction, id } = this.#execution;
    if (this.#hasEnded()) return;
    transaction.write(
      'UPDATE executions SET status = ?, is_under_way = ? WHERE id = ?',
      status,
      Number(status === 'running'),
      id,
    );
    if (this.#execution.state.status === status) return;
    this.#execution.update({ status });
    if (status === 'waiting') this.#publish();
    else this.#execution.announce();
  }

  /** Does nothing when the execution has ended. */
  finish(outcome: ExecutionOutcome): void {
    const { database, transaction, id } = this.#execution;
    if (this.#hasEnded()) return;
    transaction.write(
      `UPDATE executions SET status = ?, output = ?, error = ?, completed_at = ?, is_under_way = 0 WHERE id = ?`,
      outcome.status,
      outcome.status === 'completed' ? keepValue(transaction, id, outcome.output) : null,
      outcome.status === 'failed' ? stringifyJson(outcome.error) : null,
      database.timestamp(),
      id,
    );
    this.#execution.update({ status: outcome.status });
    this.#publish();
  }

  /**
   * Ends the execution and its unfinished node runs as cancelled, and takes it from its run, which can't write anything any more. Returns
   * false when the execution had already ended.
   */
  async cancel(): Promise<boolean> {
    const { database, transaction, id } = this.#execution;
    if (this.#hasEnded()) return false;
    for (const run of await readOpenRuns(transaction, id)) cancelNodeRun(this.#execution, run);
    for (const { ref, nextAttempt } of await readPausedRuns(transaction, id))
      cancelNextAttempt(this.#execution, ref, nextAttempt);
    transaction.write(
      `UPDATE executions SET status = 'cancelled', completed_at = ?, is_under_way = 0, claims = claims + 1 WHERE id = ?`,
      database.timestamp(),
      id,
    );
    this.#execution.update({ status: 'cancelled' });
    this.#publish();
    transaction.announce(`cancelled:${id}`);
    return true;
  }

  /** Opens the next attempt, unless the node run has ended: completed, or failed with no attempt left. */
  async begin(ref: NodeRunRef, options: BeginOptions): Promise<NodeRunStart> {
    const { transaction, id, use } = this.#execution;
    const attempts = await this.#readAttempts(ref, options.isNew);
    const last = attempts.at(-1);
    const failures = attempts.filter(
      (row) => row['status'] === 'failed' && row['was_interrupted'] === 0,
    ).length;
    const outcome = last && (await readEnd(transaction, last, failures, options.maximumAttempts));
    if (outcome) return { kind: 'ended', outcome };
    const wakeAt = last ? nullableInteger(last, 'wake_at') : null;
    const open = last && toOpenRun(ref, last);
    if (open && (options.canResume || this.#isOwn(last))) {
      const items = await readValue(transaction, id, last, 'items');
      return { kind: options.canResume ? 'resumed' : 'started', run: open, failures, wakeAt, items, use };
    }
    if (open) await closeNodeRun(this.#execution, open, interrupted, { wasInterrupted: true });
    else if (wakeAt !== null && wakeAt > options.now) return { kind: 'early', wakeAt };
    const attempt = (last ? integer(last, 'attempt') : 0) + 1;
    const run = await openNodeRun(this.#execution, ref, attempt, options.input);
    return { kind: 'started', run, failures, wakeAt: null, items: null, use };
  }

  /** Adds a node log row. */
  async say(run: OpenNodeRun, line: NodeLine): Promise<void> {
    if (await this.#isOpen(run)) logNodeRun(this.#execution, run, { ...line, status: run.status });
  }

  /** Marks a running attempt as waiting until `wakeAt`, in epoch milliseconds. */
  async wait(run: OpenNodeRun, message: string, wakeAt: number): Promise<void> {
    if (run.status === 'waiting' || !(await this.#isOpen(run))) return;
    updateAttempt(this.#execution.transaction, run, `status = 'waiting', wake_at = ?`, wakeAt);
    logNodeRun(this.#execution, run, { level: 'info', message, status: 'waiting' });
  }

  async end(
    run: OpenNodeRun,
    outcome: NodeOutcome,
    { retryAt, line, exchange }: EndOptions = {},
  ): Promise<void> {
    const { transaction, id, state } = this.#execution;
    if (!(await this.#isOpen(run))) return;
    if (line) logNodeRun(this.#execution, run, { ...line, status: run.status });
    await closeNodeRun(this.#execution, run, outcome, { retryAt: retryAt ?? null, exchange });
    if (state.crashCount === 0) return;
    transaction.write('UPDATE executions SET deaths = 0, deaths_alone = 0, outlived_ms = 0 WHERE id = ?', id);
    this.#execution.update({ crashCount: 0 });
  }

  /** Ends all open attempts as failed; returns the node of the one that ran, if any. */
  async failOpen(error: NodeFailure): Promise<string | undefined> {
    const { transaction, id } = this.#execution;
    const runs = await readOpenRuns(transaction, id);
    for (const run of runs) await closeNodeRun(this.#execution, run, { status: 'failed', error });
    return runs.findLast(({ nodeType }) => !isForEach(nodeType))?.nodeId;
  }

  /** Marks the node as skipped in this iteration, unless it is. `isNew` as for `begin`. */
  async skip(ref: NodeRunRef, reason: string, isNew: boolean): Promise<void> {
    const attempts = await this.#readAttempts(ref, isNew);
    if (attempts.length === 0) skipNodeRun(this.#execution, ref, reason);
  }

  /** Stores a node run that was reused instead of run, unless it's already stored. `isNew` as for `begin`. */
  async reuse(ref: NodeRunRef, reused: ReusedRun, isNew: boolean): Promise<void> {
    const attempts = await this.#readAttempts(ref, isNew);
    if (attempts.length === 0) await reuseNodeRun(this.#execution, ref, reused);
  }

  /** Continues a loop after the finished iterations of another execution, whose results stay where they are. */
  async continueLoop(
    run: OpenNodeRun,
    { executionId, items, iterations, size }: RecordedLoop,
    message: string,
  ) {
    if (await this.#hasItems(run)) return;
    updateAttempt(
      this.#execution.transaction,
      run,
      'items = ?, turns = ?, results_size = ?, turns_from = ?, turns_taken = ?',
      await this.#execution.keep(items),
      iterations,
      size,
      iterations === 0 ? null : executionId,
      iterations,
    );
    logNodeRun(this.#execution, run, { level: 'info', message, status: run.status });
  }

  /** Stores a loop's list, counts its iterations and adds a node log row about it. */
  async keepItems(run: OpenNodeRun, items: readonly string[], message: string): Promise<void> {
    if (await this.#hasItems(run)) return;
    const stored = await this.#execution.keep(`[${items.join(',')}]`);
    updateAttempt(this.#execution.transaction, run, 'items = ?', stored);
    this.#execution.countIterations(items.length);
    logNodeRun(this.#execution, run, { level: 'info', message, status: run.status });
  }

  /** Stores the result of a loop's iteration. */
  async keepResult(loop: NodeRunRef, index: number, result: string): Promise<void> {
    const stored = await this.#execution.keep(result);
    keepLoopResult(this.#execution.transaction, loop, index, { stored, length: result.length });
  }

  async #readAttempts(ref: NodeRunRef, isNew: boolean): Promise<readonly SqlRow[]> {
    return isNew && !this.#isRepeated ? [] : readAttempts(this.#execution.transaction, ref);
  }

  /** An open attempt stays open until its run ends it, unless a call is repeated whose response was lost. */
  async #isOpen(run: OpenNodeRun): Promise<boolean> {
    if (!this.#isRepeated) return true;
    const attempts = await readAttempts(this.#execution.transaction, run);
    return attempts.some((row) => toOpenRun(run, row)?.attempt === run.attempt);
  }

  /** Whether the list of a loop is already stored, by a call whose response was lost. */
  async #hasItems(run: OpenNodeRun): Promise<boolean> {
    if (!this.#isRepeated) return false;
    const attempts = await readAttempts(this.#execution.transaction, run);
    const open = attempts.find((row) => toOpenRun(run, row)?.attempt === run.attempt);
    return open?.['items'] !== null;
  }

  /** Whether this run has opened the attempt itself: it then repeats a call whose response was lost. */
  #isOwn(attempt: SqlRow): boolean {
    const { claim } = this.#execution;
    return claim !== null && attempt['claim'] === claim;
  }

  #hasEnded(): boolean {
    return hasEnded(this.#execution.state.status);
  }

  #publish(): void {
    const { id, state } = this.#execution;
    const { workflowId, eventId, status } = state;
    this.#execution.publish(executionEvent(status, { workflowId, executionId: id, eventId, status }));
  }
}

const interrupted: NodeOutcome = {
  status: 'failed',
  error: { code: 'interrupted', message: 'Interrupted by a restart of the service; the node runs again.' },
};
