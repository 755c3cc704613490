// Writes about an execution for the run that has taken it.
import {
  LostClaimError,
  type Claim,
  type EndOptions,
  type ExecutionWriter,
} from '../store/executionWriter.ts';
import type { NodeOutcome, NodeTurn } from '../store/nodeRuns.ts';
import { untilKept } from '../store/storageError.ts';
import type { Store } from '../store/store.ts';
import { messageOf, NodeFailedError } from './errors.ts';

/** The end of a node run that isn't stored yet. */
interface NodeEnd {
  readonly turn: NodeTurn;
  readonly outcome: NodeOutcome;
  readonly options: EndOptions | undefined;
}

/** Stores the end of a node run together with what follows it, as each transaction waits for the disk. */
export class RunWriter {
  readonly #store: Store;
  readonly #claim: Claim;
  readonly #signal: AbortSignal;
  #end: NodeEnd | undefined;

  /** `signal` ends the waiting for a database that can't be written to. */
  constructor(store: Store, claim: Claim, signal: AbortSignal) {
    this.#store = store;
    this.#claim = claim;
    this.#signal = signal;
  }

  /** Ends a node run with the next write, which has to follow soon. */
  end(turn: NodeTurn, outcome: NodeOutcome, options?: EndOptions): void {
    this.#end = { turn, outcome, options };
  }

  /**
   * Stores the end of the last node run, if it isn't stored yet, and what the work writes about the given node runs. Rejects with a
   * NodeFailedError, before the work, when the result of that node run can't be kept.
   */
  async write<T>(
    work: (writer: ExecutionWriter) => T | Promise<T>,
    turns: readonly NodeTurn[] = [],
  ): Promise<T> {
    const end = this.#end;
    if (!end) return this.#keep(work, turns);
    try {
      const result = await this.#keep(
        async (writer) => {
          await writer.end(end.turn, end.outcome, end.options);
          return work(writer);
        },
        [...new Set([end.turn, ...turns])],
      );
      this.#end = undefined;
      return result;
    } catch (error) {
      if (error instanceof LostClaimError || this.#signal.aborted) throw error;
    }
    await this.#endAlone(end);
    return this.#keep(work, turns);
  }

  /** Stores the end of the last node run, if it isn't stored yet. Rejects with a NodeFailedError when its result can't be kept. */
  async flush(): Promise<void> {
    if (this.#end) await this.#endAlone(this.#end);
  }

  /** A result that can't be stored fails the node without a retry, as its effects must not be repeated. */
  async #endAlone({ turn, outcome, options }: NodeEnd): Promise<void> {
    try {
      await this.#keep((writer) => writer.end(turn, outcome, options), [turn]);
      this.#end = undefined;
    } catch (error) {
      if (error instanceof LostClaimError || this.#signal.aborted) throw error;
      const message = `The result can't be kept: ${messageOf(error)}`;
      const failed = { status: 'failed', error: { code: 'result_not_kept', message } } as const;
      this.#end = undefined;
      await this.#keep((writer) => writer.end(turn, failed), [turn]);
      throw new NodeFailedError(turn.nodeId, message);
    }
  }

  #keep<T>(work: (writer: ExecutionWriter) => T | Promise<T>, turns: readonly NodeTurn[]): Promise<T> {
    return untilKept(this.#signal, () => this.#store.executions.write(this.#claim, work, turns));
  }
}
