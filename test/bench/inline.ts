// What a definition takes to show its execution: 200 nodes and their 5,000 node runs, once the rows are there.
import { parseTree } from 'jsonc-parser';
import * as v from 'valibot';
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import type { NodeRun } from '../../src/domain/nodeRun.ts';
import { ChangedNodes } from '../../src/ui/changedNodes.ts';
import { findUnreached, renderLineEnds } from '../../src/features/definitions/shownExecution/renderInline.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { renderNodeActions } from '../../src/features/definitions/shownExecution/renderExecutionLenses.ts';
import type { LogFeed } from '../../src/model/log/logFeed.ts';
import { createFeed } from '../support/memory/logs.ts';
import type { RanNodes } from '../../src/model/workflows/ranDefinitions.ts';
import { makeExecution, makeNodeLog, makeShown, statusOf } from '../support/memory/records.ts';
import type { Benchmark } from './benchmark.ts';
import { runProbe } from './probing.ts';

const nodeCount = 200;
const turnCount = 25;
const rounds = 9;

const Result = v.object({
  drawn: v.array(v.number()),
  bareTyped: v.array(v.number()),
  typed: v.array(v.number()),
});

const nodes = Array.from({ length: nodeCount }, (_, index) => ({
  id: `n${index}`,
  name: `Node ${index}`,
  type: 'transform',
  config: { expression: `input.a + ${index} * $sum(nodes.n${index}.lines.price)` },
}));
const text = JSON.stringify({ name: 'Many', nodes, edges: [] }, null, 2);
const ran: RanNodes = new Map(nodes.map((node) => [node.id, node]));

/** What a row says of a run: that it started, something, that it ended. */
const states = ['running', 'running', 'completed'] as const;

function rowsOf(turn: number): readonly NodeLog[] {
  return nodes.flatMap(({ id, name }, index) =>
    states.map((state, at) =>
      makeNodeLog((turn * nodeCount + index) * states.length + at + 1, {
        nodeId: id,
        nodeName: name,
        iteration: [turn],
        status: statusOf(state),
        message: `row ${at} of ${id}`,
        output: { turn, text: 'some text' },
        durationMs: at,
      }),
    ),
  );
}

function readFeed(): LogFeed {
  const feed = createFeed();
  for (let turn = 0; turn < turnCount; turn += 1) feed.append(rowsOf(turn));
  return feed;
}

/** Everything that is drawn, as the definition does it. */
function draw({ nodeRuns, runTree }: LogFeed, changedNodes: ChangedNodes): number {
  const positions = [...new DefinitionText(text).byId.values()];
  const execution = makeExecution('e', { status: statusOf('completed') });
  const shown = makeShown({ nodeRuns, runTree, execution });
  const facts = {
    shown,
    positions,
    nodes: runTree.select(shown.iterations),
    changes: changedNodes.find(positions, ran),
  };
  const lenses = [...facts.nodes.values()].flatMap((node) => renderNodeActions(node, false));
  return renderLineEnds(facts).length + findUnreached(facts).length + lenses.length;
}

/** What nobody can do without: the text is parsed, and each run looked at once. */
function drawNothing(nodeRuns: readonly NodeRun[]): number {
  parseTree(text);
  return nodeRuns.filter(({ status }) => status?.state === 'completed').length;
}

function timesOf(prepare: () => () => unknown): readonly number[] {
  return Array.from({ length: rounds }, () => {
    const work = prepare();
    const began = performance.now();
    work();
    return performance.now() - began;
  });
}

export const inline: Benchmark = {
  name: `An execution on its definition, ${nodeCount} nodes and ${nodeCount * turnCount} node runs`,
  async measure() {
    const floor = timesOf(() => {
      const feed = readFeed();
      return () => drawNothing(feed.nodeRuns);
    });
    const first = timesOf(() => {
      const feed = readFeed();
      return () => draw(feed, new ChangedNodes());
    });
    const feed = readFeed();
    const changedNodes = new ChangedNodes();
    let turn = turnCount;
    const again = timesOf(() => {
      feed.append(rowsOf((turn += 1)));
      return () => draw(feed, changedNodes);
    });
    const { drawn, bareTyped, typed } = await runProbe('inline', Result);
    const bareKey = 'a key to its letter in a plain document';
    return [
      { name: 'bare: the text parsed, each run looked at', values: floor, unit: 'ms' },
      {
        name: 'drawn for the first time',
        values: first,
        unit: 'ms',
        comparedTo: 'bare: the text parsed, each run looked at',
        aim: 'under 100 ms',
      },
      { name: 'drawn again after 200 more runs', values: again, unit: 'ms', aim: 'under 50 ms' },
      { name: 'another turn on the screen', values: drawn, unit: 'ms' },
      { name: bareKey, values: bareTyped, unit: 'ms' },
      { name: 'a key to its letter in the definition', values: typed, unit: 'ms', comparedTo: bareKey },
    ];
  },
};
