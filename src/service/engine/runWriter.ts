// Writes about an execution for the run that has claimed it.
import type { EndOptions, ExecutionWriter } from '../store/executionWriter.ts';
import { LostClaimError } from '../store/lockedExecution.ts';
import type { NodeOutcome, OpenNodeRun } from '../store/nodeRuns.ts';
import { retryUntilStored } from '../store/storageError.ts';
import type { ClaimedExecution } from '../store/executionClaims.ts';
import { messageOf } from '../../base/reason.ts';
import { NodeFailedError } from './errors.ts';
import type { ExecutionRun } from './executionRun.ts';

/** The end of a node run that isn't stored yet. */
interface NodeEnd {
  readonly run: OpenNodeRun;
  readonly outcome: NodeOutcome;
  readonly options: EndOptions | undefined;
}

/** Stores the ends of node runs together with what follows them, because each transaction waits for the disk. */
export class RunWriter {
  readonly #run: ExecutionRun;
  readonly #execution: ClaimedExecution;
  /** The ends that aren't stored yet: several when a node fails, and with it the loops around it. */
  #ends: readonly NodeEnd[] = [];

  constructor(run: ExecutionRun, execution: ClaimedExecution) {
    this.#run = run;
    this.#execution = execution;
  }

  /** Ends a node run with the next write, which has to follow soon. */
  end(run: OpenNodeRun, outcome: NodeOutcome, options?: EndOptions): void {
    this.#ends = [...this.#ends, { run, outcome, options }];
    this.#run.watch?.onNodeEnd(run, outcome);
  }

  /**
   * Stores the pending ends of node runs, and what the work writes. Rejects with a NodeFailedError, before the work, when the result of one
   * can't be stored.
   */
  async write<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    const ends = this.#ends;
    if (ends.length === 0) return this.#store(work);
    try {
      const result = await this.#store(async (writer) => {
        for (const { run, outcome, options } of ends) await writer.end(run, outcome, options);
        return work(writer);
      });
      this.#ends = [];
      return result;
    } catch (error) {
      if (error instanceof LostClaimError || this.#run.signal.aborted) throw error;
    }
    await this.#endEach();
    return this.#store(work);
  }

  /** Stores the pending ends of node runs. Rejects with a NodeFailedError when the result of one can't be stored. */
  async flush(): Promise<void> {
    if (this.#ends.length > 0) await this.write(() => undefined);
  }

  /** Stores the ends one by one, because the result of one of them may be what can't be stored. Rejects with its NodeFailedError. */
  async #endEach(): Promise<void> {
    const ends = this.#ends;
    this.#ends = [];
    const failures: NodeFailedError[] = [];
    for (const end of ends) {
      const failure = await this.#endAlone(end);
      if (failure) failures.push(failure);
    }
    const [first] = failures;
    if (first) throw first;
  }

  /** A result that can't be stored fails the node without a retry, because its effects must not be repeated; returns the failure. */
  async #endAlone({ run, outcome, options }: NodeEnd): Promise<NodeFailedError | undefined> {
    try {
      await this.#store((writer) => writer.end(run, outcome, options));
      return undefined;
    } catch (error) {
      if (error instanceof LostClaimError || this.#run.signal.aborted) throw error;
      const message = `The result can't be kept: ${messageOf(error)}`;
      const failed = { status: 'failed', error: { code: 'result_not_kept', message } } as const;
      await this.#store((writer) => writer.end(run, failed));
      return new NodeFailedError(run.nodeId, failed.error);
    }
  }

  /** Makes room for others once the execution is no longer a suspect. */
  async #store<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    const result = await retryUntilStored(this.#run.signal, () => this.#execution.write(work));
    if (!this.#execution.isSuspect) this.#run.admissions.clear(this.#execution.id);
    return result;
  }
}
