// Why an execution failed: the node and its reason, what it got, its last lines, and the first difference to the workflow's last success.
import type { JsonValue } from '../../base/json.ts';
import { ifOffered } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { type ComparedFacts, compareExecutions } from '../comparison/compareExecutions.ts';
import { formatField } from '../../base/fieldPath.ts';
import type { FieldPattern } from '../comparison/fieldPatterns.ts';
import type { Difference } from '../comparison/jsonDifferences.ts';
import { type ComparedReads, readCompared } from '../comparison/readCompared.ts';
import type { Executions } from '../executions/executions.ts';
import type { LogFeed } from '../log/logFeed.ts';
import { findFailure } from './findFailure.ts';

/** Where something was, in JSON. A node's iterations are counted from 1, as on the screen, and left out outside of loops. */
interface ExplainedPlace {
  readonly nodeId?: string;
  readonly nodeName?: string;
  readonly iteration?: readonly number[];
}

/** What was different when the workflow last succeeded. */
interface ExplainedDifference extends ExplainedPlace {
  /** The execution that succeeded. */
  readonly executionId: string;
  /** In the node run, or in the execution as a whole: "input.items[2].id". "status" of a node that ran in one of them only. */
  readonly field: string;
  /** Its value when it succeeded; missing where it had none. */
  readonly before?: JsonValue;
  /** Its value in the execution that failed; missing where it has none. */
  readonly after?: JsonValue;
}

export interface FailureExplanation {
  readonly executionId: string;
  /** null where no node is known to have failed. */
  readonly nodeId: string | null;
  readonly nodeName: string | null;
  readonly iteration?: readonly number[];
  /** '' where the service reports none. */
  readonly reason: string;
  readonly code?: string;
  /** What the node received. */
  readonly input?: JsonValue;
  /** The last lines of the node's run, or else of the execution, as the log shows them. */
  readonly lines: readonly string[];
  /** Missing where nothing is known to compare with. */
  readonly difference?: ExplainedDifference;
}

export interface FailureReads extends ComparedReads {
  readonly executions: ComparedReads['executions'] & Pick<Executions, 'listWhole' | 'readWholeValue'>;
}

const shownLines = 20;
/** How many of the newest successes are looked through for one before the failure. */
const lookedThrough = 20;

/**
 * Resolves with undefined for an execution that didn't fail. `ignored`: the fields that don't count as different. Rejects with a ServiceError, or
 * with the signal's reason.
 */
export async function explainFailure(
  reads: FailureReads,
  target: ExecutionTarget,
  ignored: readonly FieldPattern[],
  signal: AbortSignal,
): Promise<FailureExplanation | undefined> {
  const { executions, following } = reads;
  const execution = await executions.read(target, signal);
  const feed = await ifOffered(following.readLog(target, signal));
  const failure = findFailure(execution, feed);
  if (failure === undefined) return undefined;
  const { node, message = '', code } = failure;
  const run = node?.run;
  const input = run && (await executions.readWholeValue(target, run, 'input', signal));
  const difference = await findDifference(reads, target, execution, ignored, signal);
  return {
    executionId: target.executionId,
    nodeId: node?.nodeId ?? null,
    nodeName: run?.nodeName ?? node?.nodeId ?? null,
    ...iterationOf(run),
    reason: message,
    ...(code === null ? {} : { code }),
    ...(input === undefined ? {} : { input }),
    lines: feed === undefined ? [] : lastLines(feed, run),
    ...(difference === undefined ? {} : { difference }),
  };
}

function iterationOf(run: NodeRun | undefined): Pick<ExplainedPlace, 'iteration'> {
  if (run === undefined || run.iteration.length === 0) return {};
  return { iteration: run.iteration.map((index) => index + 1) };
}

function lastLines(feed: LogFeed, run: NodeRun | undefined): readonly string[] {
  const selection = (run && feed.selectRun(run.key)) ?? {};
  return feed.lastLines(shownLines, selection).map(({ text }) => text);
}

async function findDifference(
  reads: FailureReads,
  target: ExecutionTarget,
  execution: Execution,
  ignored: readonly FieldPattern[],
  signal: AbortSignal,
): Promise<ExplainedDifference | undefined> {
  const success = await findLastSuccess(reads, target, execution, signal);
  if (success === undefined) return undefined;
  const read = (executionId: string): Promise<ComparedFacts | undefined> =>
    ifOffered(readCompared(reads, { ...target, executionId }, undefined, signal));
  const [left, right] = await Promise.all([read(success.id), read(execution.id)]);
  if (left === undefined || right === undefined) return undefined;
  const { different, whole } = await compareExecutions(left, right, ignored, signal);
  const [first] = different;
  const place = { executionId: success.id, ...placeOf(first?.right ?? first?.left) };
  // Paths in a node run begin with "nodes" and its id.
  const [inRun] = first?.differences.shown ?? [];
  if (inRun !== undefined) return { ...place, ...renderDifference(inRun, 2) };
  if (first !== undefined) {
    const [before, after] = [first.left?.status?.word, first.right?.status?.word];
    return { ...place, ...renderDifference({ path: ['status'], left: before, right: after }, 0) };
  }
  const [inWhole] = whole.shown;
  return inWhole && { ...place, ...renderDifference(inWhole, 0) };
}

/** The newest success of the workflow before the execution, of the same kind; one after it if there's none before. */
async function findLastSuccess(
  { executions }: FailureReads,
  { connectionId }: ExecutionTarget,
  { workflowId, kind, createdAt }: Execution,
  signal: AbortSignal,
): Promise<Execution | undefined> {
  if (workflowId === null) return undefined;
  const query = { workflowId, status: 'completed', kind };
  const listed = await ifOffered(executions.listWhole(connectionId, query, { limit: lookedThrough, signal }));
  const successes = listed?.filter((each) => each.kind === kind && each.status.state === 'completed') ?? [];
  const isBefore = (each: Execution): boolean =>
    createdAt !== null && each.createdAt !== null && each.createdAt < createdAt;
  return successes.find(isBefore) ?? successes[0];
}

function placeOf(run: NodeRun | undefined): ExplainedPlace {
  if (run === undefined) return {};
  return { nodeId: run.nodeId, nodeName: run.nodeName, ...iterationOf(run) };
}

function renderDifference(
  { path, left, right }: Difference,
  above: number,
): Pick<ExplainedDifference, 'field' | 'before' | 'after'> {
  return {
    field: formatField(path.slice(above)),
    ...(left === undefined ? {} : { before: left }),
    ...(right === undefined ? {} : { after: right }),
  };
}
