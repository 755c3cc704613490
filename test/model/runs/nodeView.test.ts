// One run stands for a node, that of the turn that is shown, and all nodes of a loop show the same turn.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { createFeed } from '../../support/memory/logs.ts';
import type { NodeView } from '../../../src/model/runs/nodeView.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../support/memory/records.ts';

type Row = readonly [
  nodeId: string,
  state: RunState,
  iteration?: readonly number[],
  change?: Partial<NodeLog>,
];

const loop = { nodeType: 'forEach' };

function show(
  rows: readonly Row[],
  chosen: Readonly<Record<string, number>> = {},
): ReadonlyMap<string, NodeView> {
  const tree = treeOf(
    foldNodeRuns(
      rows.map(([nodeId, state, iteration = [], change], at) =>
        makeNodeLog(at + 1, { nodeId, iteration, status: statusOf(state), ...change }),
      ),
    ),
  );
  const nodes = tree.select(new Map());
  const keys = [...nodes.values()].flatMap(({ loops }) =>
    loops.flatMap(({ nodeId, key }) => {
      const index = chosen[nodeId ?? ''];
      return index === undefined ? [] : [[key, index] as const];
    }),
  );
  return tree.select(new Map(keys));
}

/** "completed [2] each:3/4": the run that is shown and the loops around its node. */
function words({ run, loops }: NodeView): string {
  const place = run === undefined ? '' : ` [${run.iteration.join(',')}]`;
  const around = loops.map(({ nodeId, index, count }) => ` ${nodeId ?? '?'}:${index + 1}/${count}`).join('');
  return `${run?.status?.state ?? 'none'}${place}${around}`;
}

const wordsOf = (nodes: ReadonlyMap<string, NodeView>) =>
  Object.fromEntries([...nodes].map(([nodeId, node]) => [nodeId, words(node)]));

const oneLoop: readonly Row[] = [
  ['start', 'completed'],
  ['each', 'running', [], loop],
  ['a', 'completed', [0]],
  ['b', 'completed', [0]],
  ['a', 'completed', [1]],
  ['b', 'failed', [1]],
  ['a', 'completed', [2]],
];

const twoLoops: readonly Row[] = [
  ['outer', 'completed', [], loop],
  ['inner', 'completed', [0], loop],
  ['x', 'completed', [0, 0]],
  ['x', 'completed', [0, 1]],
  ['x', 'completed', [0, 2]],
  ['inner', 'completed', [1], loop],
  ['x', 'completed', [1, 0]],
  ['x', 'completed', [1, 1]],
  ['inner', 'completed', [2], loop],
  ['other', 'completed', [], loop],
  ['y', 'completed', [0]],
];

describe('the run that stands for a node', () => {
  for (const [what, nodes, expected] of [
    ['is the only one', show([['a', 'completed']]), { a: 'completed []' }],
    [
      'is the last attempt',
      show([
        ['a', 'failed'],
        ['a', 'completed', [], { attempt: 2 }],
      ]),
      { a: 'completed []' },
    ],
    [
      'is that of the first turn with a failure, for the whole loop',
      show(oneLoop),
      {
        start: 'completed []',
        each: 'running []',
        a: 'completed [1] each:2/3',
        b: 'failed [1] each:2/3',
      },
    ],
    [
      'is that of the chosen turn, and none where the node has none in it',
      show(oneLoop, { each: 2 }),
      {
        start: 'completed []',
        each: 'running []',
        a: 'completed [2] each:3/3',
        b: 'none each:3/3',
      },
    ],
    [
      'is in the first turn of a loop in a loop',
      show(twoLoops),
      {
        outer: 'completed []',
        inner: 'completed [0] outer:1/3',
        x: 'completed [0,0] outer:1/3 inner:1/3',
        other: 'completed []',
        y: 'completed [0] other:1/1',
      },
    ],
    [
      'is in the chosen turn of each loop, as far as it has so many',
      show(twoLoops, { outer: 1, inner: 2 }),
      {
        outer: 'completed []',
        inner: 'completed [1] outer:2/3',
        x: 'completed [1,1] outer:2/3 inner:2/2',
        other: 'completed []',
        y: 'completed [0] other:1/1',
      },
    ],
    [
      'is none in a loop that has no turn there',
      show(twoLoops, { outer: 2 }),
      {
        outer: 'completed []',
        inner: 'completed [2] outer:3/3',
        x: 'none outer:3/3 inner:1/0',
        other: 'completed []',
        y: 'completed [0] other:1/1',
      },
    ],
    [
      'is one of those that a service repeats without numbers',
      show(
        [
          ['a', 'completed', [], { startedAt: new Date(1000) }],
          ['a', 'completed', [], { startedAt: new Date(2000) }],
          ['a', 'failed', [], { startedAt: new Date(3000) }],
        ],
        { a: 1 },
      ),
      { a: 'completed [] a:2/3' },
    ],
    [
      'is in a loop without a node of its own',
      show([
        ['a', 'completed', [0]],
        ['b', 'completed', [1]],
      ]),
      { a: 'completed [0] ?:1/2', b: 'none ?:1/2' },
    ],
  ] as const)
    it(what, () => assert.deepEqual(wordsOf(nodes), expected));

  it('is another one once the first failed iteration has recovered', () => {
    const feed = createFeed();
    let sequence = 0;
    const shownAfter = (state: RunState, iteration: readonly number[], change: Partial<NodeLog> = {}) => {
      const row = {
        nodeId: iteration.length === 0 ? 'each' : 'a',
        iteration,
        status: statusOf(state),
        ...change,
      };
      feed.append([makeNodeLog((sequence += 1), row)]);
      return wordsOf(feed.runTree.select(new Map()))['a'];
    };
    shownAfter('running', [], loop);
    assert.equal(shownAfter('failed', [2]), 'failed [2] each:3/3');
    assert.equal(shownAfter('failed', [0]), 'failed [0] each:1/3');
    assert.equal(shownAfter('completed', [1]), 'failed [0] each:1/3');
    assert.equal(shownAfter('completed', [0], { attempt: 2 }), 'failed [2] each:3/3');
    assert.equal(shownAfter('completed', [2], { attempt: 2 }), 'completed [0] each:1/3');
  });
});
