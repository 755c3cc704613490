// Writes about an execution for the run that has taken it.
import {
  LostClaimError,
  type EndOptions,
  type ExecutionWriter,
  type OpenNodeRun,
} from '../store/executionWriter.ts';
import type { NodeOutcome } from '../store/nodeRuns.ts';
import { untilKept } from '../store/storageError.ts';
import type { TakenExecution } from '../store/store.ts';
import { messageOf, NodeFailedError } from './errors.ts';
import type { ExecutionRun } from './executionRun.ts';

/** The end of a node run that isn't stored yet. */
interface NodeEnd {
  readonly run: OpenNodeRun;
  readonly outcome: NodeOutcome;
  readonly options: EndOptions | undefined;
}

/** Stores the end of a node run together with what follows it, as each transaction waits for the disk. */
export class RunWriter {
  readonly #run: ExecutionRun;
  readonly #execution: Pick<TakenExecution, 'write'>;
  #end: NodeEnd | undefined;

  constructor(run: ExecutionRun, execution: Pick<TakenExecution, 'write'>) {
    this.#run = run;
    this.#execution = execution;
  }

  /** Ends a node run with the next write, which has to follow soon. */
  end(run: OpenNodeRun, outcome: NodeOutcome, options?: EndOptions): void {
    this.#end = { run, outcome, options };
    this.#run.watch?.onNodeEnd(run, outcome);
  }

  /**
   * Stores the end of the last node run, if it isn't stored yet, and what the work writes. Rejects with a NodeFailedError, before the work,
   * when the result of that node run can't be kept.
   */
  async write<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    const end = this.#end;
    if (!end) return this.#store(work);
    try {
      const result = await this.#store(async (writer) => {
        await writer.end(end.run, end.outcome, end.options);
        return work(writer);
      });
      this.#end = undefined;
      return result;
    } catch (error) {
      if (error instanceof LostClaimError || this.#run.signal.aborted) throw error;
    }
    await this.#endAlone(end);
    return this.#store(work);
  }

  /** Stores the end of the last node run, if it isn't stored yet. Rejects with a NodeFailedError when its result can't be kept. */
  async flush(): Promise<void> {
    if (this.#end) await this.#endAlone(this.#end);
  }

  /** A result that can't be stored fails the node without a retry, as its effects must not be repeated. */
  async #endAlone({ run, outcome, options }: NodeEnd): Promise<void> {
    try {
      await this.#store((writer) => writer.end(run, outcome, options));
      this.#end = undefined;
    } catch (error) {
      if (error instanceof LostClaimError || this.#run.signal.aborted) throw error;
      const message = `The result can't be kept: ${messageOf(error)}`;
      const failed = { status: 'failed', error: { code: 'result_not_kept', message } } as const;
      this.#end = undefined;
      await this.#store((writer) => writer.end(run, failed));
      throw new NodeFailedError(run.nodeId, message);
    }
  }

  #store<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    return untilKept(this.#run.signal, () => this.#execution.write(work));
  }
}
