// One side of a comparison: what an execution received and returned, as a whole and node by node, without ids and times, which always differ.
import type { JsonObject } from '../../../base/json.ts';
import { ifOffered } from '../../../domain/errors.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { ComparedFacts } from './compareExecutions.ts';
import { emptyExecution, type Output, outputValue, type RunError } from '../../../domain/execution.ts';
import type { App } from '../../../ui/app.ts';
import { type DocumentSource, isAboutRecord } from '../documents/documentSource.ts';
import type { Outputs } from '../documents/outputs.ts';
import { isLarge, renderJson } from '../documents/renderJson.ts';
import { renderNodeName } from '../../../ui/words/renderLogLine.ts';

/** `outputs`: those that were read before their documents are opened. */
export function createSideSource(
  deps: Pick<App, 'executions' | 'following'>,
  outputs: Outputs,
): DocumentSource {
  return {
    read: async ({ address: { target, isCompact } }, signal) => {
      const value = renderCompared(await readCompared(deps, target, outputs.take(target), signal));
      return renderJson(value, signal, isCompact || isLarge(value));
    },
    isTouched: isAboutRecord,
  };
}

/** Reads what isn't known yet. What the service doesn't report besides the output is left out. lent: the output, if it was read before. Rejects with a ServiceError. */
export async function readCompared(
  { executions, following }: Pick<App, 'executions' | 'following'>,
  target: ExecutionTarget,
  lent: Output | undefined,
  signal: AbortSignal,
): Promise<ComparedFacts> {
  const known = executions.find(target);
  const read = known?.status.isTerminal === true ? known : await ifOffered(executions.read(target, signal));
  const execution = read ?? known ?? emptyExecution(target.executionId);
  const feed = executions.logs(target);
  const hasLogs = feed.reading.kind === 'whole' && !feed.isTruncated;
  const [withInput, output, logs] = await Promise.all([
    execution.input === undefined ? ifOffered(executions.readInput(target, signal)) : execution,
    lent ?? executions.output(target, signal),
    hasLogs ? feed : ifOffered(following.readLog(target, signal)),
  ]);
  return { execution, input: withInput?.input ?? null, output, nodeRuns: logs?.nodeRuns ?? [] };
}

function errorPart(error: RunError | null): JsonObject {
  if (error === null) return {};
  const { message, code, nodeId } = error;
  return {
    error: {
      message,
      ...(code === null ? {} : { code }),
      ...(nodeId === null ? {} : { nodeId }),
    },
  };
}

function nodePart(run: NodeRun): JsonObject {
  const error = run.error && { ...run.error, nodeId: null };
  return {
    node: renderNodeName(run),
    status: run.status?.word ?? null,
    ...errorPart(error),
    input: run.input ?? null,
    output: run.output ?? null,
  };
}

export function renderCompared({ execution, input, output, nodeRuns }: ComparedFacts): JsonObject {
  return {
    status: execution.status.word,
    ...errorPart(execution.error),
    input,
    output: outputValue(output) ?? null,
    nodes: nodeRuns.map(nodePart),
  };
}
