// Runs one test: one execution, followed to its end and compared.
import * as l10n from '@vscode/l10n';
import { isAbortError, unlessAborted } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { Deadline } from '../base/time.ts';
import { isServiceError } from '../domain/errors.ts';
import { outputValue } from '../domain/execution.ts';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { Status } from '../domain/status.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import type { Follow, FollowState } from '../model/executions/following.ts';
import type { LogFeed } from '../model/log/logFeed.ts';
import type { TriggeredExecution } from '../model/workflows/workflowActions.ts';
import type { Difference } from '../model/comparison/jsonDifferences.ts';
import { compareTest, describeDifferences, type TestFacts } from './compareTest.ts';
import type { PlannedTest, Refusal } from './testPlan.ts';
import type { TestPorts } from './testPorts.ts';

type TestOutcome = 'passed' | 'failed' | 'errored' | 'skipped';

export interface TestResult {
  readonly outcome: TestOutcome;
  readonly message?: string;
  /** What is wrong in the test, or in the file. */
  readonly refusal?: Refusal;
  readonly expected?: JsonObject;
  readonly actual?: JsonObject;
  /** Of one that failed. */
  readonly differences?: readonly Difference[];
  readonly execution?: ExecutionTarget;
  readonly nodeRuns?: readonly NodeRun[];
  /** In milliseconds, without waiting for the limit of requests. */
  readonly durationMs?: number;
}

/** What code gets of a test that has ended. */
export function renderResult(uri: string, name: string, result: TestResult) {
  const { outcome, message, expected, actual } = result;
  return {
    uri,
    name,
    outcome,
    ...(message === undefined ? {} : { message }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  };
}

export interface TestProgress {
  /** A request waits for the limit, for about so many milliseconds. */
  readonly onWait?: (waitMs: number) => void;
  /** The execution has begun; the feed gets its rows. What it returns is disposed of at the end. */
  readonly onExecute?: (feed: LogFeed) => Disposable;
}

/** Never rejects but with the signal's reason; then the execution is cancelled where the service can. */
export async function runTest(
  ports: TestPorts,
  planned: PlannedTest,
  progress: TestProgress,
  signal: AbortSignal,
): Promise<TestResult> {
  try {
    const waitMs = ports.services.budget(planned.workflow.target.connectionId).waitMs('tests');
    if (waitMs > 0) progress.onWait?.(waitMs);
    const { target } = planned.workflow;
    const triggered = await execute(ports, planned, signal);
    // Only what is found can be cancelled.
    const canCancel = ports.services.offers(target.connectionId, 'cancel');
    const match = await ports.actions.findExecution(target, triggered, canCancel ? undefined : signal);
    if (match.kind === 'unknown') {
      signal.throwIfAborted();
      return {
        outcome: 'errored',
        message: l10n.t("The execution was started, but it can't be told which one it is."),
      };
    }
    const execution = { connectionId: target.connectionId, executionId: match.executionId };
    const kept = ports.executions.keepLogs(execution);
    const shown = progress.onExecute?.(kept.feed);
    try {
      return await follow(ports, planned, { execution, feed: kept.feed }, signal);
    } finally {
      shown?.dispose();
      kept.dispose();
    }
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    return { outcome: 'errored', message: ports.describe(error) };
  }
}

function execute(
  { actions }: TestPorts,
  { workflow: { target, definition }, spec: { pinned, answers }, input, isDraft }: PlannedTest,
  signal: AbortSignal,
): Promise<TriggeredExecution> {
  const options = { signal, purpose: 'tests' } as const;
  if (!isDraft) return actions.execute(target, input, options);
  return actions.executeDraft(
    target,
    { definition, input, pinned, ...(Object.keys(answers).length > 0 && { answers }) },
    options,
  );
}

interface Started {
  readonly execution: ExecutionTarget;
  readonly feed: LogFeed;
}

async function follow(
  ports: TestPorts,
  planned: PlannedTest,
  { execution, feed }: Started,
  signal: AbortSignal,
): Promise<TestResult> {
  const { timeoutMs } = planned.spec;
  const beganAt = ports.clock.now();
  const durationMs = (): number =>
    ports.executions.find(execution)?.durationMs ?? ports.clock.now() - beganAt;
  const deadline = new Deadline(ports.clock, signal);
  let followed: Follow | undefined;
  let isOver = false;
  try {
    deadline.restart(timeoutMs);
    deadline.signal.throwIfAborted();
    followed = ports.following.follow(execution, 'test');
    const last = await untilEnd(ports, execution, followed, deadline, signal);
    // What is read from now on may wait for the limit of requests.
    isOver = true;
    if (last.kind === 'failed') return { outcome: 'errored', message: ports.describe(last.error), execution };
    if (last.kind !== 'ended')
      return {
        outcome: 'errored',
        message: l10n.t('The execution was no longer followed before its end.'),
        execution,
      };
    const facts = await readFacts(ports, planned, { execution, feed, status: last.status }, signal);
    const { nodeRuns } = facts;
    return {
      ...(await judge(ports, planned, facts, signal)),
      execution,
      nodeRuns,
      durationMs: durationMs(),
    };
  } catch (error) {
    if (isOver || !deadline.signal.aborted) throw error;
    await end(ports, execution, followed);
    if (!deadline.isExpired || signal.aborted) throw error;
    const message = l10n.t("The execution didn't end within {0} ms.", timeoutMs);
    return { outcome: 'errored', message, execution, durationMs: durationMs() };
  } finally {
    deadline.dispose();
  }
}

/** The deadline is the execution's: its record may be read for the last time when it has ended. */
async function untilEnd(
  { executions }: TestPorts,
  execution: ExecutionTarget,
  { done }: Follow,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<FollowState> {
  try {
    return await unlessAborted(done, deadline.signal);
  } catch (error) {
    if (!deadline.isExpired || executions.find(execution)?.status.isTerminal !== true) throw error;
    return unlessAborted(done, signal);
  }
}

/** Cancels what nobody waits for any more, where the service can. */
async function end(
  { actions, executions, services }: TestPorts,
  execution: ExecutionTarget,
  followed: Follow | undefined,
): Promise<void> {
  const hasEnded = executions.find(execution)?.status.isTerminal === true;
  followed?.leave();
  if (hasEnded || !services.offers(execution.connectionId, 'cancel')) return;
  try {
    await actions.cancel(execution);
  } catch (error) {
    // It may have ended meanwhile, and what it did can't be undone.
    if (!isServiceError(error)) throw error;
  }
}

async function readFacts(
  { executions }: TestPorts,
  { spec: { expected } }: PlannedTest,
  { execution, feed, status }: Started & { readonly status: Status },
  signal: AbortSignal,
): Promise<TestFacts> {
  const known = executions.find(execution);
  const isWhole = known !== undefined && (status.state !== 'failed' || known.error !== null);
  // Following ends without the record where that couldn't be read.
  const record =
    isWhole || status.notKeptBy !== undefined ? known : await executions.read(execution, signal, 'tests');
  const output =
    expected.output === undefined ? undefined : await executions.output(execution, signal, 'tests');
  const nodeRuns: NodeRun[] = [];
  // Values that the service truncated are read where they're compared.
  for (const run of feed.nodeRuns) {
    const isCompared = Object.hasOwn(expected.nodes, run.nodeId);
    nodeRuns.push(isCompared ? await executions.readWholeValues(execution, run, signal, 'tests') : run);
  }
  return {
    status: status.state,
    error: record?.error ?? null,
    output: output && comparable(outputValue(output)),
    nodeRuns,
  };
}

/** An execution without an output has null. */
const comparable = (output: JsonValue | undefined): JsonValue | undefined => output ?? undefined;

async function judge(
  ports: TestPorts,
  { spec }: PlannedTest,
  facts: TestFacts,
  signal: AbortSignal,
): Promise<Pick<TestResult, 'outcome' | 'message' | 'expected' | 'actual' | 'differences'>> {
  const { differences, expected, actual } = await compareTest(spec, facts, ports.testPattern, signal);
  if (differences.length === 0) return { outcome: 'passed' };
  return { outcome: 'failed', message: describeDifferences(differences), expected, actual, differences };
}
