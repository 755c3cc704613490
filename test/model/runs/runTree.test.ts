// The table of how node runs become a tree: whatever a service tells of loops, every run is reached, and a failed turn shows above it.
import assert from 'node:assert/strict';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { RunState } from '../../../src/domain/status.ts';
import { createFeed } from '../../support/memory/logs.ts';
import type { RunTreeItem } from '../../../src/model/runs/runItems.ts';
import type { RunTree } from '../../../src/model/runs/runTree.ts';
import { makeNodeLog, statusOf } from '../../support/memory/records.ts';

/** A run that ended: "name", its turns, its state, and how it differs. */
type Run = readonly [name: string, iteration: readonly number[], state?: RunState, change?: Partial<NodeLog>];

const loopNodes: readonly string[] = ['Each', 'Inner'];

function rows(runs: readonly Run[], from = 0): readonly NodeLog[] {
  return runs.map(([name, iteration, state = 'completed', change], index) => {
    const number = from + index + 1;
    return makeNodeLog(number, {
      nodeId: name,
      nodeName: name,
      nodeType: loopNodes.includes(name) ? 'forEach' : 'log',
      iteration,
      status: statusOf(state),
      startedAt: new Date(number * 1000),
      ...change,
    });
  });
}

function nameOf(tree: RunTree, item: RunTreeItem): string {
  const iterations = item.kind === 'run' || item.kind === 'loop' ? item.iterations : null;
  const count = iterations === null ? '' : ` ${iterations.failed}/${iterations.total}`;
  switch (item.kind) {
    case 'run':
      return `${item.run.nodeName}${item.run.attempt > 1 ? ` #${item.run.attempt}` : ''}${count}`;
    case 'loop':
      return `(${item.name})${count}`;
    case 'iteration':
      return `[${item.index + 1}] ${item.state}`;
    case 'range': {
      const { first, last, failed, total } = tree.summarize(item);
      return `[${first + 1} … ${last + 1}] ${failed}/${total}`;
    }
  }
}

/** The tree as indented lines; ranges folded up. */
function draw(tree: RunTree, items = tree.items, indent = ''): readonly string[] {
  return items.flatMap((item) => [
    indent + nameOf(tree, item),
    ...(item.kind === 'range' ? [] : draw(tree, below(tree, item), `${indent}  `)),
  ]);
}

function below(tree: RunTree, item: RunTreeItem): readonly RunTreeItem[] {
  const children = tree.childrenOf(item);
  for (const child of children) assert.equal(tree.parentOf(child)?.key, item.key, 'a way back');
  return children;
}

function grow(...batches: readonly (readonly Run[])[]): RunTree {
  const feed = createFeed();
  let count = 0;
  for (const batch of batches) {
    feed.append(rows(batch, count));
    count += batch.length;
    assert.ok(feed.runTree.items.length > 0, 'read while it grows');
  }
  return feed.runTree;
}

const table: readonly (readonly [title: string, runs: readonly Run[], lines: readonly string[]])[] = [
  [
    'has nodes outside loops as they came',
    [
      ['Start', []],
      ['End', []],
    ],
    ['Start', 'End'],
  ],
  [
    'has the turns of a loop below its node, and what follows beside it',
    [
      ['Each', []],
      ['Double', [0]],
      ['Add', [0]],
      ['Double', [1]],
      ['Add', [1]],
      ['End', []],
    ],
    [
      'Each 0/2',
      '  [1] completed',
      '    Double',
      '    Add',
      '  [2] completed',
      '    Double',
      '    Add',
      'End',
    ],
  ],
  [
    'gives two loops their own turns, though both count from 1',
    [
      ['Each', []],
      ['A', [0]],
      ['Inner', []],
      ['B', [0]],
      ['B', [1]],
    ],
    [
      'Each 0/1',
      '  [1] completed',
      '    A',
      'Inner 0/2',
      '  [1] completed',
      '    B',
      '  [2] completed',
      '    B',
    ],
  ],
  [
    'has a loop in each turn of a loop, and a failed turn at every level',
    [
      ['Each', []],
      ['Inner', [0]],
      ['A', [0, 0]],
      ['A', [0, 1], 'failed'],
      ['Inner', [1]],
      ['A', [1, 0]],
    ],
    [
      'Each 1/2',
      '  [1] failed',
      '    Inner 1/2',
      '      [1] completed',
      '        A',
      '      [2] failed',
      '        A',
      '  [2] completed',
      '    Inner 0/1',
      '      [1] completed',
      '        A',
    ],
  ],
  [
    'counts a turn that succeeded at the second attempt as succeeded',
    [
      ['Each', []],
      ['Call', [0], 'failed'],
      ['Call', [0], 'completed', { attempt: 2 }],
    ],
    ['Each 0/1', '  [1] completed', '    Call', '    Call #2'],
  ],
  [
    'has turns below a row of their own where no node is known as their loop',
    [
      ['Start', []],
      ['A', [0]],
      ['B', [0], 'failed'],
      ['A', [1]],
    ],
    ['Start', '() 1/2', '  [1] failed', '    A', '    B', '  [2] completed', '    A'],
  ],
  [
    'has the runs of a node below one row where the service numbers no turns',
    [
      ['Start', []],
      ['A', []],
      ['B', []],
      ['A', [], 'failed'],
      ['B', []],
      ['End', []],
    ],
    ['Start', '(A) 1/2', '  A', '  A', '(B) 0/2', '  B', '  B', 'End'],
  ],
  [
    'keeps attempts beside each other, and together where their node runs again',
    [
      ['A', [], 'failed'],
      ['A', [], 'completed', { attempt: 2 }],
      ['B', []],
      ['B', [], 'failed'],
      ['B', [], 'completed', { attempt: 2 }],
    ],
    ['A', 'A #2', '(B) 0/2', '  B', '  B', '  B #2'],
  ],
  [
    'orders turns that came out of order',
    [
      ['Each', []],
      ['A', [2]],
      ['A', [0]],
      ['A', [1]],
    ],
    ['Each 0/3', '  [1] completed', '    A', '  [2] completed', '    A', '  [3] completed', '    A'],
  ],
];

describe('the tree of node runs', () => {
  for (const [title, runs, lines] of table) {
    it(title, () => assert.deepEqual(draw(grow(runs)), lines));
    it(`${title}, also run by run`, () => assert.deepEqual(draw(grow(...runs.map((run) => [run]))), lines));
  }

  it('follows a run that changes', () => {
    const feed = createFeed();
    const [loop, body] = rows([
      ['Each', []],
      ['A', [0], 'running'],
    ]);
    assert.ok(loop && body);
    feed.append([loop, body]);
    assert.deepEqual(draw(feed.runTree), ['Each 0/1', '  [1] running', '    A']);
    feed.append([{ ...body, key: 'end', sequence: 3, status: statusOf('failed') }]);
    assert.deepEqual(draw(feed.runTree), ['Each 1/1', '  [1] failed', '    A']);
  });

  it('groups many turns by the hundred, reaches each, and knows each by its key', () => {
    const runs: Run[] = [['Each', []]];
    for (let turn = 0; turn < 2050; turn += 1)
      runs.push(['A', [turn], turn === 150 ? 'failed' : 'completed']);
    const tree = grow(runs.slice(0, 1000), runs.slice(1000));
    const [loop] = tree.items;
    assert.ok(loop);
    const ranges = below(tree, loop);
    assert.deepEqual(
      ranges.map((range) => nameOf(tree, range)).filter((_, at) => at < 3 || at === 20),
      ['[1 … 100] 0/100', '[101 … 200] 1/100', '[201 … 300] 0/100', '[2001 … 2050] 0/50'],
    );
    const turns = ranges.flatMap((range) => below(tree, range));
    assert.equal(turns.length, 2050);
    const reached = turns.flatMap((turn) => below(tree, turn));
    assert.equal(new Set(reached.map(({ key }) => key)).size, 2050);
    for (const item of [...ranges, ...turns, ...reached]) assert.equal(tree.find(item.key), item);
  });

  it('is built anew when a late row moves the runs', () => {
    const feed = createFeed();
    const all = rows([
      ['Each', []],
      ['A', [0]],
      ['Inner', []],
      ['B', [0]],
    ]);
    const [each, first, inner, second] = all;
    assert.ok(each && first && inner && second);
    feed.append([each, first, second]);
    assert.deepEqual(draw(feed.runTree), ['Each 0/1', '  [1] completed', '    A', '    B']);
    feed.append([inner]);
    assert.deepEqual(
      draw(feed.runTree),
      draw(
        grow([
          ['Each', []],
          ['A', [0]],
          ['Inner', []],
          ['B', [0]],
        ]),
      ),
    );
  });
});
