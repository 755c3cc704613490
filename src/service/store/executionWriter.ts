// Each change of an execution, its node runs and its node log is part of one transaction, so a resumed execution never finds half of one.
import { stringifyJson } from '../../base/json.ts';
import type { LogLevel } from '../../domain/nodeLog.ts';
import { isForEach } from '../../definition/nodeTypes.ts';
import { type SqlRow, type SqlValue, type Transaction, UnmetDemandError } from './database.ts';
import { type Exchange, keepExchange } from './exchanges.ts';
import type { RecordedLoop } from './executionRecords.ts';
import {
  type Claim,
  type ExecutionState,
  type ExecutionTables,
  LockedExecution,
  lockKnown,
  lockState,
  LostClaimError,
} from './lockedExecution.ts';
import type { ExecutionUse, NodeLogLine, ReuseOrigin } from './nodeLogs.ts';
import {
  keyOf,
  type NodeFailure,
  type NodeOutcome,
  type NodeRunRef,
  ofNodeRun,
  type OpenNodeRun,
  readAttempts,
  readOutcome,
  readOpenRuns,
  readPausedRuns,
  toOpenRun,
} from './nodeRuns.ts';
import { readValue } from './payloads.ts';
import { integer, nullableInteger } from './rows.ts';

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

/** The outcome of a node run that was reused instead of run, and its input as JSON. */
export interface ReusedRun {
  readonly input: string;
  readonly outcome: NodeOutcome;
  readonly origin: ReuseOrigin;
}

interface LastWrite {
  readonly state: ExecutionState;
  /** False when a later one has failed: what is written may be stored already. */
  readonly isNewest: boolean;
}

interface CloseOptions {
  readonly wasInterrupted?: boolean;
  /** When the next attempt can start, in epoch milliseconds; null when none follows. */
  readonly retryAt?: number | null;
  readonly exchange?: Exchange | undefined;
}

/** Writes about one execution and its node runs, which no other writer changes meanwhile. All of it is stored, or nothing. */
export class ExecutionWriter extends LockedExecution {
  /** Log rows with a greater sequence may be those of a call whose response was lost, which this one repeats; undefined when there was none. */
  readonly #repeatedAfter: number | undefined;

  constructor(
    tables: ExecutionTables,
    transaction: Transaction,
    claim: Claim,
    state: ExecutionState,
    repeatedAfter: number | undefined,
  ) {
    super(tables, transaction, claim, state);
    this.#repeatedAfter = repeatedAfter;
  }

  /**
   * Ends the execution and its unfinished node runs as cancelled, and takes it from its run, which can't write anything any more. Returns
   * false when the execution had already ended. A loop keeps its list and the results of its iterations, from which a retry continues.
   */
  async cancel(): Promise<boolean> {
    if (this.hasEnded()) return false;
    for (const run of await readOpenRuns(this.sql, this.id)) {
      this.#update(run, `status = 'cancelled', wake_at = NULL`);
      this.#log(run, cancelled);
    }
    // The attempts before it keep their failures.
    for (const { ref, nextAttempt } of await readPausedRuns(this.sql, this.id))
      this.#log(this.#insert(ref, nextAttempt, 'cancelled'), cancelled);
    this.endCancelled();
    return true;
  }

  /** Opens the next attempt, unless the node run has ended: completed, or failed with no attempt left. */
  async begin(ref: NodeRunRef, options: BeginOptions): Promise<NodeRunStart> {
    const attempts = await this.#readAttempts(ref, options.isNew);
    const last = attempts.at(-1);
    const failures = attempts.filter(
      (row) => row['status'] === 'failed' && row['was_interrupted'] === 0,
    ).length;
    const outcome = last && (await readOutcome(this.sql, last, failures < options.maximumAttempts));
    if (outcome) return { kind: 'ended', outcome };
    const wakeAt = last ? nullableInteger(last, 'wake_at') : null;
    const open = last && toOpenRun(ref, last);
    if (open && (options.canResume || this.#isOwn(last))) {
      const items = await readValue(this.sql, this.id, last, 'items');
      return {
        kind: options.canResume ? 'resumed' : 'started',
        run: open,
        failures,
        wakeAt,
        items,
        use: this.use,
      };
    }
    if (open) await this.#close(open, interrupted, { wasInterrupted: true });
    else if (wakeAt !== null && wakeAt > options.now) return { kind: 'early', wakeAt };
    const attempt = (last ? integer(last, 'attempt') : 0) + 1;
    const run = await this.#open(ref, attempt, options.input);
    return { kind: 'started', run, failures, wakeAt: null, items: null, use: this.use };
  }

  /** Adds a node log row. */
  async say(run: OpenNodeRun, line: NodeLine): Promise<void> {
    if (!(await this.#isOpen(run)) || (await this.#isLogged(run, line.message))) return;
    this.#log(run, { ...line, status: run.status });
  }

  /** Marks a running attempt as waiting until `wakeAt`, in epoch milliseconds. */
  async wait(run: OpenNodeRun, message: string, wakeAt: number): Promise<void> {
    if (run.status === 'waiting' || !(await this.#isOpen(run)) || (await this.#isLogged(run, message)))
      return;
    this.#update(run, `status = 'waiting', wake_at = ?`, wakeAt);
    this.#log(run, { level: 'info', message, status: 'waiting' });
  }

  async end(
    run: OpenNodeRun,
    outcome: NodeOutcome,
    { retryAt, line, exchange }: EndOptions = {},
  ): Promise<void> {
    if (!(await this.#isOpen(run))) return;
    if (line) this.#log(run, { ...line, status: run.status });
    await this.#close(run, outcome, { retryAt: retryAt ?? null, exchange });
    this.clearSuspicion();
  }

  /** Ends all open attempts as failed; returns the node of the one that ran, if any. */
  async failOpen(error: NodeFailure): Promise<string | undefined> {
    const runs = await readOpenRuns(this.sql, this.id);
    for (const run of runs) await this.#close(run, { status: 'failed', error });
    return runs.findLast(({ nodeType }) => !isForEach(nodeType))?.nodeId;
  }

  /** Marks the node as skipped in this iteration, unless it is. `isNew` as for `begin`. */
  async skip(ref: NodeRunRef, reason: string, isNew: boolean): Promise<void> {
    const attempts = await this.#readAttempts(ref, isNew);
    if (attempts.length > 0) return;
    const run = this.#insert(ref, 1, 'skipped');
    this.#log(run, { level: 'info', message: `Skipped: ${reason}`, status: 'skipped', hasEnded: true });
    this.#publish(run, 'skipped', 'skipped');
  }

  /** Stores a node run that was reused instead of run, unless it's already stored. `isNew` as for `begin`. */
  async reuse(ref: NodeRunRef, { input, outcome, origin }: ReusedRun, isNew: boolean): Promise<void> {
    const attempts = await this.#readAttempts(ref, isNew);
    if (attempts.length > 0) return;
    const run = this.#insert(ref, 1, 'running');
    const output = outcome.status === 'completed' ? await this.keep(outcome.output) : null;
    const error = outcome.status === 'failed' ? outcome.error : null;
    this.#update(
      run,
      'status = ?, output = ?, error = ?, reused_from = ?',
      outcome.status,
      output,
      error && stringifyJson(error),
      origin === 'pinned' ? null : origin.reusedFrom,
    );
    this.#log(run, {
      level: 'info',
      message: origin === 'pinned' ? 'Gave its pinned output.' : `Reused from ${origin.reusedFrom}.`,
      status: outcome.status,
      input: await this.keep(input),
      output,
      error,
      reuse: origin,
      hasEnded: true,
    });
  }

  /** Continues a loop after the finished iterations of another execution, whose results stay where they are. */
  async continueLoop(
    run: OpenNodeRun,
    { executionId, items, iterations, size }: RecordedLoop,
    message: string,
  ) {
    if (await this.#hasItems(run)) return;
    this.#update(
      run,
      'items = ?, turns = ?, results_size = ?, turns_from = ?, turns_taken = ?',
      await this.keep(items),
      iterations,
      size,
      iterations === 0 ? null : executionId,
      iterations,
    );
    this.#log(run, { level: 'info', message, status: run.status });
  }

  /** Stores a loop's list, counts its iterations and adds a node log row about it. */
  async keepItems(run: OpenNodeRun, items: readonly string[], message: string): Promise<void> {
    if (await this.#hasItems(run)) return;
    const stored = await this.keep(`[${items.join(',')}]`);
    this.#update(run, 'items = ?', stored);
    this.countIterations(items.length);
    this.#log(run, { level: 'info', message, status: run.status });
  }

  /** Stores the result of a loop's iteration and counts it; repeated calls do nothing. */
  async keepResult(loop: NodeRunRef, index: number, result: string): Promise<void> {
    const stored = await this.keep(result);
    this.change(
      resultsOf(loop),
      `INSERT INTO loop_turns (execution_id, node_id, iteration, turn, result) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      ...keyOf(loop),
      index,
      stored,
    );
    this.change(
      attemptsOf(loop),
      `UPDATE node_runs SET turns = ?, results_size = results_size + ? WHERE ${ofNodeRun} AND turns = ?`,
      index + 1,
      result.length,
      ...keyOf(loop),
      index,
    );
  }

  async #open(ref: NodeRunRef, attempt: number, value: string): Promise<OpenNodeRun> {
    const run = this.#insert(ref, attempt, 'running');
    const input = await this.keep(value);
    this.#log(run, { level: 'debug', message: 'node started', status: 'running', input });
    this.#publish(run, 'started', 'running');
    return { ...run, status: 'running' };
  }

  async #close(
    run: OpenNodeRun,
    outcome: NodeOutcome,
    { wasInterrupted = false, retryAt = null, exchange }: CloseOptions = {},
  ): Promise<void> {
    const output = outcome.status === 'completed' ? await this.keep(outcome.output) : null;
    const error = outcome.status === 'failed' ? outcome.error : null;
    this.#update(
      run,
      'status = ?, was_interrupted = ?, output = ?, error = ?, wake_at = ?',
      outcome.status,
      Number(wasInterrupted),
      output,
      error && stringifyJson(error),
      retryAt,
    );
    // The loop's output has its results now. Payloads of large ones stay for the node logs that show them.
    if (isForEach(run.nodeType) && outcome.status === 'completed')
      this.change(resultsOf(run), `DELETE FROM loop_turns WHERE ${ofNodeRun}`, ...keyOf(run));
    this.#log(run, {
      level: outcome.status === 'failed' ? (wasInterrupted ? 'warn' : 'error') : 'info',
      message: outcome.status === 'completed' ? 'node completed' : outcome.error.message,
      status: outcome.status,
      output,
      error,
      exchange: exchange && (await keepExchange(exchange, (value) => this.keep(value))),
      hasEnded: true,
    });
    this.#publish(run, outcome.status, outcome.status);
  }

  #insert(
    ref: NodeRunRef,
    attempt: number,
    status: 'running' | 'skipped' | 'cancelled',
  ): Omit<OpenNodeRun, 'status'> {
    const startedAt = this.database.timestamp();
    this.change(
      attemptsOf(ref),
      `INSERT INTO node_runs (execution_id, node_id, iteration, attempt, status, started_at, claim)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...keyOf(ref),
      attempt,
      status,
      startedAt,
      this.claim,
    );
    return { ...ref, attempt, startedAt };
  }

  #update(run: Omit<OpenNodeRun, 'status'>, assignments: string, ...values: SqlValue[]): void {
    this.change(
      attemptsOf(run),
      `UPDATE node_runs SET ${assignments} WHERE ${ofNodeRun} AND attempt = ?`,
      ...values,
      ...keyOf(run),
      run.attempt,
    );
  }

  #log(run: Omit<OpenNodeRun, 'status'>, line: NodeLogLine): void {
    this.log({ run, line });
  }

  #publish(run: Omit<OpenNodeRun, 'status'>, kind: string, status: string): void {
    const { executionId, nodeId, nodeName, nodeType, iteration, attempt } = run;
    const { workflowId } = this.state;
    this.publish({
      type: `node.${kind}`,
      data: { workflowId, executionId, nodeId, nodeName, nodeType, iteration, attempt, status },
    });
  }

  async #readAttempts(ref: NodeRunRef, isNew: boolean): Promise<readonly SqlRow[]> {
    return isNew && this.#repeatedAfter === undefined ? [] : readAttempts(this.sql, ref);
  }

  /** An open attempt stays open until its run ends it, unless a call is repeated whose response was lost. */
  async #isOpen(run: OpenNodeRun): Promise<boolean> {
    if (this.#repeatedAfter === undefined) return true;
    const attempts = await readAttempts(this.sql, run);
    return attempts.some((row) => toOpenRun(run, row)?.attempt === run.attempt);
  }

  /** Whether the log row is already stored, by a call whose response was lost. */
  async #isLogged(run: OpenNodeRun, message: string): Promise<boolean> {
    if (this.#repeatedAfter === undefined) return false;
    const row = await this.sql.get(
      `SELECT 1 AS found FROM node_logs WHERE ${ofNodeRun} AND attempt = ? AND sequence > ? AND message = ? LIMIT 1`,
      ...keyOf(run),
      run.attempt,
      this.#repeatedAfter,
      message,
    );
    return row !== undefined;
  }

  /** Whether the list of a loop is already stored, by a call whose response was lost. */
  async #hasItems(run: OpenNodeRun): Promise<boolean> {
    if (this.#repeatedAfter === undefined) return false;
    const attempts = await readAttempts(this.sql, run);
    const open = attempts.find((row) => toOpenRun(run, row)?.attempt === run.attempt);
    return open?.['items'] !== null;
  }

  /** Whether this run has opened the attempt itself: it then repeats a call whose response was lost. */
  #isOwn(attempt: SqlRow): boolean {
    return this.claim !== null && attempt['claim'] === this.claim;
  }
}

/** The rows of a node run's attempts. */
function attemptsOf(ref: NodeRunRef): string {
  return `attempts: ${keyOf(ref).join(' ')}`;
}

/** The rows of a loop's results. */
function resultsOf(ref: NodeRunRef): string {
  return `results: ${keyOf(ref).join(' ')}`;
}

const interrupted: NodeOutcome = {
  status: 'failed',
  error: { code: 'interrupted', message: 'Interrupted by a restart of the service; the node runs again.' },
};

const cancelled: NodeLogLine = { level: 'warn', message: 'Cancelled', status: 'cancelled', hasEnded: true };

/**
 * Stores all that the work writes, or nothing. `last` is the state after the last write that is known. Rejects with a LostClaimError.
 */
export async function writeExecution<T>(
  tables: ExecutionTables,
  claim: Claim,
  last: LastWrite | undefined,
  work: (writer: ExecutionWriter) => T | Promise<T>,
): Promise<{ readonly result: T; readonly state: ExecutionState }> {
  try {
    return await tables.database.transaction(async (transaction) => {
      const known = last?.isNewest === true ? last.state : undefined;
      if (known) lockKnown(tables, transaction, claim);
      const state = known ?? (await lockState(tables, transaction, claim));
      const repeatedAfter = known ? undefined : (last?.state.log.sequence ?? 0);
      const writer = new ExecutionWriter(tables, transaction, claim, state, repeatedAfter);
      const result = await work(writer);
      await writer.flush();
      return { result, state: writer.state };
    });
  } catch (error) {
    throw error instanceof UnmetDemandError ? new LostClaimError() : error;
  }
}
