// The runs that are to run executions: each unfinished execution has one, whatever was lost or has failed.
import type { LogFields, Logger } from '../../base/logger.ts';
import type { Now } from '../../base/time.ts';
import type { UnfinishedExecution } from '../store/executionRows.ts';
import type { Claim } from '../store/lockedExecution.ts';
import type { Store } from '../store/store.ts';

const sweepBatchSize = 200;

export interface PendingRunsOptions {
  readonly store: Store;
  readonly logger: Logger;
  /** The store's clock. */
  readonly now: Now;
  readonly stopping: AbortSignal;
  /** The highest level of needs of the executions that it finds. */
  readonly level: number;
  /** Stores a run, unless there's one with the key. */
  readonly add: (
    execution: UnfinishedExecution,
    idempotencyKey: string,
    availableAt: Date | undefined,
  ) => Promise<void>;
  /** Called with the milliseconds until an added run can start. */
  readonly onAdd: (milliseconds: number) => void;
}

export class PendingRuns {
  readonly #options: PendingRunsOptions;
  /** Accepted executions whose run couldn't be added yet. */
  readonly #late = new Map<string, { readonly next: UnfinishedExecution; readonly wakeAt: number }>();

  constructor(options: PendingRunsOptions) {
    this.#options = options;
  }

  /** Adds a run that starts at `wakeAt`, in epoch milliseconds. If that fails, logs it with the fields and leaves it for `addLate`. */
  async add(next: UnfinishedExecution, wakeAt: number, fields?: LogFields): Promise<void> {
    const { logger, now, add, onAdd } = this.#options;
    try {
      const milliseconds = Math.max(0, wakeAt - now());
      // OpenWorkflow always uses the system's clock.
      const availableAt = milliseconds > 0 ? new Date(Date.now() + milliseconds) : undefined;
      await add(next, `${next.id}/${next.handovers}`, availableAt);
      onAdd(milliseconds);
    } catch (error) {
      logger.error(`The engine could not queue the execution ${next.id}; it retries.`, error, {
        ...fields,
        executionId: next.id,
      });
      this.#late.set(next.id, { next, wakeAt });
    }
  }

  addLate(): void {
    for (const [id, { next, wakeAt }] of this.#late) {
      this.#late.delete(id);
      void this.add(next, wakeAt);
    }
  }

  /** Finds unfinished executions that have no run. */
  async sweep(): Promise<void> {
    const { store, stopping, level } = this.#options;
    for (;;) {
      const left = await store.executions.listAbandoned(sweepBatchSize, level);
      for (const execution of left) await this.#takeUp(execution);
      if (left.length < sweepBatchSize || stopping.aborted) return;
    }
  }

  async #takeUp({ id, hasDefinition }: UnfinishedExecution): Promise<void> {
    const { executions } = this.#options.store;
    const claim: Claim = { executionId: id, claim: null };
    if (!hasDefinition) {
      const error = {
        code: 'interrupted',
        message: 'The service ended before the execution could begin.',
      };
      await executions.write(claim, (execution) => execution.finish({ status: 'failed', error }));
      return;
    }
    const next = await executions.handOver(claim);
    if (next) await this.add(next, 0);
  }
}
