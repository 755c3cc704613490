// A run of an execution: until the execution ends or is handed over to another run.
import type { ClaimedExecution } from '../store/executionClaims.ts';
import { type ExecutionOutcome, LostClaimError } from '../store/lockedExecution.ts';
import type { ExecutionWork } from '../store/executionRows.ts';
import { readEdges, readNodes } from '../../definition/definition.ts';
import { createGraph } from '../../definition/graph.ts';
import { openReuse } from './reuse.ts';
import { interpret } from './interpreter.ts';
import type { ExecutionRun } from './executionRun.ts';
import { NodeRunner } from './nodeRunner.ts';
import { messageOf } from '../../base/reason.ts';
import { HandOver, NodeFailedError } from './errors.ts';
import { ScopeValue } from '../../definition/expressionScope.ts';
import { retryUntilStored } from '../store/storageError.ts';
import { RunWriter } from './runWriter.ts';

/** An execution fails when the process has crashed this often while only it was running, without a node run ending in between. */
const maximumCrashes = 3;

/**
 * Runs the execution. Returns when another run should continue it, in epoch milliseconds; undefined when it has ended, or another run has
 * claimed it.
 */
export async function runExecution(
  run: ExecutionRun,
  execution: ClaimedExecution,
): Promise<number | undefined> {
  const { executionId, signal, draining, admissions } = run;
  const writer = new RunWriter(run, execution);
  try {
    const work = await begin(run, execution, writer);
    if (work) await carryOut(run, work, writer);
    return undefined;
  } catch (error) {
    if (error instanceof LostClaimError) {
      const status = await retryUntilStored(signal, () => run.store.executions.getStatus(executionId));
      if (status !== 'cancelled')
        run.logger.warn(`Another run has taken the execution ${executionId}.`, { executionId });
      return undefined;
    }
    if (error instanceof HandOver) return error.wakeAt;
    if (signal.aborted || (draining.aborted && !execution.hasBegun)) return run.now();
    throw error;
  } finally {
    admissions.leave(executionId);
  }
}

/** Begins the execution, once it's admitted; returns undefined when it has ended instead. */
async function begin(
  run: ExecutionRun,
  execution: ClaimedExecution,
  writer: RunWriter,
): Promise<ExecutionWork | undefined> {
  const { signal, draining, admissions, secrets, away } = run;
  if (!execution.hasDefinition) {
    const message = 'The service ended before the execution could begin.';
    await finish(run, writer, { status: 'failed', error: { code: 'interrupted', message } });
    return undefined;
  }
  let work: ExecutionWork;
  try {
    [work] = await Promise.all([
      retryUntilStored(signal, () => execution.readWork()),
      retryUntilStored(signal, () => secrets.refreshIfStale()),
    ]);
  } catch (error) {
    if (!signal.aborted) await fail(run, writer, error);
    signal.throwIfAborted();
    return undefined;
  }
  if (!execution.hasBegun) {
    const end = AbortSignal.any([signal, draining]);
    // Executions that wait for the one that is alone don't keep its slot from it.
    const admission = await away(() => admissions.wait(execution.id, execution.suspicion, end));
    await retryUntilStored(signal, () => execution.begin(admission));
    admissions.entered(admission);
  }
  run.watch?.onTake(work);
  if (work.soloCrashCount < maximumCrashes) return work;
  await failAfterCrashes(run, writer);
  return undefined;
}

async function carryOut(run: ExecutionRun, work: ExecutionWork, writer: RunWriter): Promise<void> {
  try {
    const { definition } = work;
    const graph = createGraph(readNodes(definition), readEdges(definition));
    const reuse = await retryUntilStored(run.signal, () =>
      openReuse(run.store.records, run.executionId, work, graph),
    );
    const runner = new NodeRunner(run, work, writer, reuse);
    const output = await interpret({ graph, runner, reuse, signal: run.signal }, new ScopeValue(work.input));
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
    const { code, message } = failure;
    const shownCode = generalCodes.has(code) ? 'node_failed' : code;
    await finish(run, writer, { status: 'failed', error: { code: shownCode, message, nodeId } });
    return;
  }
  run.logger.error(`The execution ${executionId} could not be carried out.`, error, { executionId });
  const failure = { code: 'execution_failed', message: await run.secrets.masking.text(messageOf(error)) };
  await finish(run, writer, { status: 'failed', error: failure });
}

/** Codes that say only that a node failed. */
const generalCodes = new Set(['failed_by_workflow', 'node_crashed', 'turn_failed']);

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
