// Definitions and executions for the graph, and the messages that they become.
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { readGraph } from '../../src/features/graph/readGraph.ts';
import { renderPageTexts, renderRun } from '../../src/features/graph/renderRun.ts';
import { RunDifference } from '../../src/features/graph/runDifference.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import type { RunState } from '../../src/domain/status.ts';
import type { ShownExecution } from '../../src/model/selection/shownExecution.ts';
import type { GraphSubject, ToPage } from '../../src/webview/graph/messages.ts';
import { foldNodeRuns, makeExecution, makeNodeLog, makeShown, statusOf } from './memory/records.ts';

const start = Date.UTC(2026, 0, 5, 10);
export const at = (millisecond: number): Date => new Date(start + millisecond);

/** A row of a node run between two times in milliseconds; without the second it goes on. */
export function ranRow(
  nodeId: string,
  state: RunState,
  [from, to]: readonly [from: number, to?: number],
  change: Partial<NodeLog> = {},
): NodeLog {
  return makeNodeLog(0, {
    key: JSON.stringify([nodeId, state, from, change.iteration, change.attempt]),
    sequence: null,
    nodeId,
    nodeName: nodeId,
    status: statusOf(state),
    startedAt: at(from),
    timestamp: at(to ?? from),
    completedAt: to === undefined ? null : at(to),
    durationMs: to === undefined ? null : to - from,
    ...change,
  });
}

export function shownExecution(
  rows: readonly NodeLog[],
  state: RunState = 'completed',
): Extract<ShownExecution, { readonly kind: 'execution' }> {
  return makeShown({
    target: { connectionId: 'c', executionId: 'e1' },
    execution: makeExecution('e1', {
      workflowId: 'w1',
      status: statusOf(state),
      createdAt: at(0),
      startedAt: at(0),
      completedAt: null,
      durationMs: null,
    }),
    nodeRuns: foldNodeRuns(rows),
  });
}

export const subject: GraphSubject = {
  connectionId: 'c',
  workflowId: 'w1',
  executionId: null,
  nodeId: null,
  nodeRunKey: null,
};

/** What the extension sends for a definition and an execution. */
export function messagesFor(
  definition: JsonObject,
  shown: ShownExecution,
  difference = new RunDifference(),
): readonly ToPage[] {
  const graph = readGraph(DefinitionText.of(definition), shown.kind === 'execution' ? shown.nodeRuns : []);
  const { nodes, edges } = graph;
  const run = difference.next(renderRun(graph, shown, [], { offersRetry: true, offersRetryFromNode: true }));
  return [
    { kind: 'graph', subject, title: 'Order totals', texts: renderPageTexts(), nodes, edges },
    ...(run === undefined ? [] : [run]),
  ];
}

/** A definition of about so many nodes with branches that join again, dead ends and loops. */
export function largeDefinition(count: number): JsonObject {
  const nodes: { id: string; name: string; type: string }[] = [];
  const edges: { source: string; target: string; branch?: string }[] = [];
  const add = (type: string): string => {
    const id = `node${nodes.length}`;
    nodes.push({ id, name: `The ${type} number ${nodes.length}`, type });
    return id;
  };
  const connect = (source: string, target: string, branch?: string): void => {
    edges.push({ source, target, ...(branch === undefined ? {} : { branch }) });
  };
  let ends = [add('trigger')];
  const join = (id: string): string => {
    for (const end of ends) connect(end, id);
    ends = [id];
    return id;
  };
  const shapes = [
    () => join(add('transform')),
    () => {
      const condition = join(add('condition'));
      const [yes, no, after] = [add('log'), add('log'), add('transform')];
      connect(condition, yes, 'true');
      connect(condition, no, 'false');
      connect(yes, after);
      ends = [after, no];
    },
    () => join(add('httpRequest')),
    () => {
      const loop = join(add('forEach'));
      const body = [add('delay'), add('transform'), add('log')];
      for (const [index, id] of body.entries())
        connect(body[index - 1] ?? loop, id, ...(index === 0 ? ['each'] : []));
    },
  ];
  for (let turn = 0; nodes.length < count; turn += 1) shapes[turn % shapes.length]?.();
  return { name: 'Large', nodes, edges };
}
