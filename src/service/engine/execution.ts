// One engine run's work on an execution: until the execution ends or is handed over to another run.
import type { NodeFailure } from '../store/nodeRunRows.ts';
import type { ExecutionOutcome } from '../store/executionWriter.ts';
import { type Claim, LostClaimError } from '../store/lockedExecution.ts';
import type { ExecutionWork } from '../store/executionRows.ts';
import type { RunningAs, Suspicion } from '../store/executions.ts';
import { TakenExecution } from '../store/takenExecution.ts';
import { readEdges, readNodes } from '../../definition/definition.ts';
import { createGraph } from '../../definition/graph.ts';
import { openReuse } from './reuse.ts';
import { interpret } from './interpreter.ts';
import type { ExecutionRun } from './executionRun.ts';
import { NodeRunner } from './nodeRunner.ts';
import { messageOf } from '../errors.ts';
import { HandOver, NodeFailedError } from './errors.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import { retryUntilStored } from '../store/storageError.ts';
import { RunWriter } from './runWriter.ts';

/** An execution fails when the process has crashed this often while only it was running, without a node run ending in between. */
const maximumCrashes = 3;

/** An execution that another run should continue. */
export interface Continuation {
  readonly claim: Claim;
  /** Epoch milliseconds. */
  readonly wakeAt: number;
}

/** Runs the execution if the run can take it; undefined if no other run should continue it. */
export async function runExecution(run: ExecutionRun): Promise<Continuation | undefined> {
  const { executionId, signal, admissions } = run;
  try {
    const taken = await take(run);
    if (!taken) return undefined;
    const { work } = taken;
    run.watch?.onTake(work);
    const claim = { executionId, claim: work.claim };
    const writer = new RunWriter(run, clearing(run, taken));
    try {
      await (work.soloCrashCount < maximumCrashes
        ? carryOut(run, work, writer)
        : failAfterCrashes(run, writer));
      return undefined;
    } catch (error) {
      if (error instanceof LostClaimError) {
        const status = await retryUntilStored(signal, () => run.store.executions.getStatus(executionId));
        if (status !== 'cancelled')
          run.logger.warn(`Another run has taken the execution ${executionId}.`, { executionId });
        return undefined;
      }
      if (error instanceof HandOver) return { claim, wakeAt: error.wakeAt };
      if (signal.aborted) return { claim, wakeAt: run.now() };
      throw error;
    }
  } finally {
    admissions.leave(executionId);
  }
}

/** Makes room for others once the execution is no longer a suspect. */
function clearing(
  { executionId, admissions }: ExecutionRun,
  taken: TakenExecution,
): Pick<TakenExecution, 'write'> {
  return {
    write: async (work) => {
      const written = await taken.write(work);
      if (!taken.isSuspect) admissions.clear(executionId);
      return written;
    },
  };
}

async function take(run: ExecutionRun): Promise<TakenExecution | undefined> {
  const { executionId, store, secrets, signal } = run;
  const { executions } = store;
  try {
    const [taken] = await Promise.all([
      takeWhenAdmitted(run),
      retryUntilStored(signal, () => secrets.refreshIfStale()),
    ]);
    return taken;
  } catch (error) {
    if (signal.aborted || run.draining.aborted) return undefined;
    const claim = { executionId, claim: null };
    await fail(run, new RunWriter(run, { write: (work) => executions.write(claim, work) }), error);
    return undefined;
  }
}

async function takeWhenAdmitted(run: ExecutionRun): Promise<TakenExecution | undefined> {
  const { executionId, runId, store, signal, admissions, level } = run;
  let admission: RunningAs | undefined;
  const admit = (suspicion: Suspicion): RunningAs | undefined =>
    (admission ??= admissions.ask(executionId, suspicion));
  for (;;) {
    const taken = await retryUntilStored(signal, () =>
      store.executions.take(executionId, runId, admit, level),
    );
    if (admission) admissions.entered(admission);
    if (taken === undefined || taken instanceof TakenExecution) return taken;
    const suspicion = taken;
    const end = AbortSignal.any([signal, run.draining]);
    // Executions that wait for the one that is alone don't keep its slot from it.
    admission = await run.away(() => admissions.wait(executionId, suspicion, end));
  }
}

async function carryOut(run: ExecutionRun, work: ExecutionWork, writer: RunWriter): Promise<void> {
  try {
    const { definition } = work;
    const graph = createGraph(readNodes(definition), readEdges(definition));
    const reuse = await retryUntilStored(run.signal, () =>
      openReuse(run.store.records, run.executionId, work, graph),
    );
    const runner = new NodeRunner(run, work, writer, reuse);
    const output = await interpret({ graph, runner, reuse }, new ScopeValue(work.input));
    await finish(run, writer, { status: 'completed', output });
  } catch (error) {
    if (error instanceof LostClaimError) throw error;
    await storeEnds(writer);
    if (error instanceof HandOver || run.signal.aborted) throw error;
    await fail(run, writer, error);
  }
}

/** If the result of a node run can't be stored, the log says so, and the error in hand needn't. */
async function storeEnds(writer: RunWriter): Promise<void> {
  try {
    await writer.flush();
  } catch (error) {
    if (!(error instanceof NodeFailedError)) throw error;
  }
}

async function fail(run: ExecutionRun, writer: RunWriter, error: unknown): Promise<void> {
  const { executionId } = run;
  if (error instanceof NodeFailedError) {
    const { nodeId, failure } = error.origin;
    const { message } = failure;
    await finish(run, writer, { status: 'failed', error: { code: codeOf(failure), message, nodeId } });
    return;
  }
  run.logger.error(`The execution ${executionId} could not be carried out.`, error, { executionId });
  const failure = { code: 'execution_failed', message: await run.secrets.masking.text(messageOf(error)) };
  await finish(run, writer, { status: 'failed', error: failure });
}

/** Codes that say only that a node failed. */
const generalCodes = new Set(['failed_by_workflow', 'node_crashed', 'turn_failed']);

function codeOf({ code }: NodeFailure): string {
  return generalCodes.has(code) ? 'node_failed' : code;
}

/** Fails an execution during which the process crashed repeatedly. */
async function failAfterCrashes(run: ExecutionRun, writer: RunWriter): Promise<void> {
  const code = 'interrupted_repeatedly';
  const message = `The service ended ${maximumCrashes} times unexpectedly while only this execution was running, so it isn't run again.`;
  const nodeId = await writer.write((execution) => execution.failOpen({ code, message }));
  const error = { code, message, ...(nodeId !== undefined && { nodeId }) };
  await finish(run, writer, { status: 'failed', error });
}

async function finish(run: ExecutionRun, writer: RunWriter, outcome: ExecutionOutcome): Promise<void> {
  await writer.write((execution) => execution.finish(outcome));
  run.watch?.onExecutionEnd(outcome);
}
