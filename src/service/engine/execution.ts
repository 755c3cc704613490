// One engine run's work on an execution: until the execution ends or is handed over to another run.
import { type Claim, type ExecutionOutcome, LostClaimError, type Work } from '../store/store.ts';
import { interpret } from './interpreter.ts';
import { type ExecutionRun, NodeRunner } from './nodeRunner.ts';
import { HandOver, messageOf, NodeFailedError } from './errors.ts';
import { ScopeValue } from '../sandbox/messages.ts';
import { untilKept } from '../store/storageError.ts';

/** An execution fails when the process has died this often during it without a node run ending in between. */
const maximumDeaths = 3;

/** An execution that another run should continue. */
export interface Rest {
  readonly claim: Claim;
  /** Epoch milliseconds. */
  readonly wakeAt: number;
}

/** Runs the execution if the run can take it; undefined if no other run should continue it. */
export async function runExecution(run: ExecutionRun): Promise<Rest | undefined> {
  const { executionId, runId, store, signal } = run;
  const keep = <T>(work: () => Promise<T>): Promise<T> => untilKept(signal, work);
  let claim: Claim = { executionId, claim: null };
  const finish = async (outcome: ExecutionOutcome): Promise<void> => {
    await keep(() => store.executions.finish(claim, outcome));
    run.watch?.onExecutionEnd(outcome);
  };
  try {
    const work = await keep(() => store.executions.take(executionId, runId));
    if (!work) return undefined;
    run.watch?.onTake(work);
    claim = { executionId, claim: work.claim };
    const outcome = work.deaths < maximumDeaths ? await outcomeOf(run, work) : await giveUp(run, work);
    await finish(outcome);
    return undefined;
  } catch (error) {
    if (error instanceof HandOver) return { claim, wakeAt: error.wakeAt };
    if (error instanceof LostClaimError) {
      run.logger.warn(`Another run has taken the execution ${executionId}.`, { executionId });
      return undefined;
    }
    if (signal.aborted) return claim.claim === null ? undefined : { claim, wakeAt: run.now() };
    run.logger.error(`The execution ${executionId} could not be carried out.`, error, { executionId });
    await finish({ status: 'failed', error: { code: 'execution_failed', message: messageOf(error) } });
    return undefined;
  }
}

async function outcomeOf(run: ExecutionRun, work: Work): Promise<ExecutionOutcome> {
  const runner = new NodeRunner(run, work);
  try {
    const output = await interpret(work.definition, new ScopeValue(work.input), runner);
    return { status: 'completed', output };
  } catch (error) {
    if (error instanceof HandOver || error instanceof LostClaimError || run.signal.aborted) throw error;
    if (error instanceof NodeFailedError)
      return {
        status: 'failed',
        error: { code: 'node_failed', message: error.message, nodeId: error.nodeId },
      };
    return { status: 'failed', error: { code: 'execution_failed', message: messageOf(error) } };
  }
}

/** Fails an execution during which the process died repeatedly. */
async function giveUp(run: ExecutionRun, { deaths, claim }: Work): Promise<ExecutionOutcome> {
  const code = 'interrupted_repeatedly';
  const message = `The service ended ${deaths} times while this ran, so it isn't run again.`;
  const { store, executionId, signal } = run;
  const nodeId = await untilKept(signal, () =>
    store.nodeRuns.failOpen({ executionId, claim }, { code, message }),
  );
  return { status: 'failed', error: { code, message, ...(nodeId !== undefined && { nodeId }) } };
}
