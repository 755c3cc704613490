import { type Claim, type ExecutionWriter, LostClaimError } from '../executionWriter.ts';
import type { TakenExecution, Work } from '../store.ts';
import { UnmetDemandError } from './database.ts';
import { SqlExecutionWriter } from './executionWriter.ts';
import { type ExecutionState, type ExecutionTables, LockedExecution } from './lockedExecution.ts';

/** Only its run writes about the execution, so that its state needn't be read again for each write. */
export class SqlTakenExecution implements TakenExecution {
  readonly work: Work;
  readonly #tables: ExecutionTables;
  readonly #claim: Claim;
  /** undefined when a write has failed: it may be stored all the same. */
  #state: ExecutionState | undefined;

  constructor(tables: ExecutionTables, claim: Claim, work: Work, state: ExecutionState) {
    this.#tables = tables;
    this.#claim = claim;
    this.work = work;
    this.#state = state;
  }

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
      const result = await work(new SqlExecutionWriter(execution, state === undefined));
      await execution.flush();
      return { result, state: execution.state };
    });
  } catch (error) {
    throw error instanceof UnmetDemandError ? new LostClaimError() : error;
  }
}
