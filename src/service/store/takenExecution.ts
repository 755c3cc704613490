import { ExecutionWriter } from './executionWriter.ts';
import {
  type Claim,
  type ExecutionState,
  type ExecutionTables,
  LockedExecution,
  LostClaimError,
} from './lockedExecution.ts';
import type { ExecutionWork } from './executionRows.ts';
import { UnmetDemandError } from './database.ts';

/** An execution that a run has taken. Only that run writes about it, so its state needn't be read again for each write. */
export class TakenExecution {
  readonly work: ExecutionWork;
  readonly #tables: ExecutionTables;
  readonly #claim: Claim;
  /** undefined when a write has failed: it may be stored all the same. */
  #state: ExecutionState | undefined;

  constructor(tables: ExecutionTables, claim: Claim, work: ExecutionWork, state: ExecutionState) {
    this.#tables = tables;
    this.#claim = claim;
    this.work = work;
    this.#state = state;
  }

  /** Whether the execution was under way when the process last crashed, and hasn't got past that point. */
  get isSuspect(): boolean {
    return this.#state === undefined || (this.#state.crashCount > 0 && this.#state.status === 'running');
  }

  /**
   * Stores all that the work writes, or nothing. Rejects with a LostClaimError, also after the work. It can be repeated after a rejection:
   * what was stored although the response was lost isn't stored twice.
   */
  async write<T>(work: (writer: ExecutionWriter) => T | Promise<T>): Promise<T> {
    const state = this.#state;
    this.#state = undefined;
    const written = await writeExecution(this.#tables, this.#claim, state, work);
    this.#state = written.state;
    return written.result;
  }
}

/** `state` is what is known to be stored; without it, what is written may be stored already. Rejects with a LostClaimError. */
export async function writeExecution<T>(
  tables: ExecutionTables,
  claim: Claim,
  state: ExecutionState | undefined,
  work: (writer: ExecutionWriter) => T | Promise<T>,
): Promise<{ readonly result: T; readonly state: ExecutionState }> {
  try {
    return await tables.database.transaction(async (transaction) => {
      const execution = state
        ? LockedExecution.lockKnown(tables, transaction, claim, state)
        : await LockedExecution.lock(tables, transaction, claim);
      const result = await work(new ExecutionWriter(execution, state === undefined));
      await execution.flush();
      return { result, state: execution.state };
    });
  } catch (error) {
    throw error instanceof UnmetDemandError ? new LostClaimError() : error;
  }
}
