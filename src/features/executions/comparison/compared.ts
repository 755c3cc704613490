// One side of a comparison: what an execution received and returned, as a whole and node by node, without ids and times, which always differ.
import type { JsonObject } from '../../../base/json.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { ComparedFacts } from '../../../model/comparison/compareExecutions.ts';
import { outputValue, type RunError } from '../../../domain/execution.ts';
import type { App } from '../../../ui/app.ts';
import { type DocumentSource, isAboutRecord } from '../documents/documentSource.ts';
import type { Outputs } from '../documents/outputs.ts';
import { isLarge, renderJson } from '../documents/renderJson.ts';
import { readCompared } from '../../../model/comparison/readCompared.ts';
import { renderNodeName } from '../../../words/renderLogLine.ts';

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
