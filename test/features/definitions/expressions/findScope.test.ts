import assert from 'node:assert/strict';
import type { NodeLog } from '../../../../src/domain/nodeLog.ts';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { findScope } from '../../../../src/features/definitions/expressions/evaluations.ts';
import { readRecordedData } from '../../../../src/ui/expressions/recordedData.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../../support/memory/records.ts';

const completed = statusOf('completed');
const loop = { nodeType: 'forEach', status: completed };

/** a; two loops, each with x in its two turns; z. */
const rows: readonly Partial<NodeLog>[] = [
  { nodeId: 'a', status: completed },
  { nodeId: 'one', ...loop },
  { nodeId: 'x', status: completed, iteration: [0] },
  { nodeId: 'x', status: statusOf('failed'), iteration: [1] },
  { nodeId: 'x', status: completed, iteration: [1], attempt: 2 },
  { nodeId: 'other', ...loop },
  { nodeId: 'y', status: statusOf('skipped'), iteration: [0] },
  { nodeId: 'y2', status: completed, iteration: [0] },
  { nodeId: 'z', status: completed },
];
const text = DefinitionText.of({
  nodes: ['a', 'one', 'x', 'new', 'other', 'y', 'idle', 'idleBody', 'end'].map((id) => ({
    id,
    type: ['one', 'other', 'idle'].includes(id) ? 'forEach' : 'log',
  })),
  edges: [
    { source: 'a', target: 'one' },
    { source: 'one', target: 'x', branch: 'each' },
    { source: 'x', target: 'new' },
    { source: 'idle', target: 'idleBody', branch: 'each' },
  ],
});

const dataOf = (of: readonly Partial<NodeLog>[]) => {
  const runTree = treeOf(foldNodeRuns(of.map((row, index) => makeNodeLog(index + 1, row))));
  return readRecordedData({ id: 'e', input: undefined }, runTree, new Map(), text, undefined);
};

/** The ids of the outputs that can be seen, and the turn. */
function seen(nodeId: string, nodeType = '', member = '', of = rows): unknown {
  const scope = findScope(dataOf(of), { nodeId, nodeType, path: [member] }, text);
  return scope && [[...scope.outputs.keys()], scope.iteration?.index];
}

describe('an expression can see', () => {
  for (const [what, nodeId, expected] of [
    ['what came before it', 'one', [['a'], undefined]],
    ['in a loop what is around it, not the loop itself', 'x', [['a'], 0]],
    ['in a second loop nothing of the first one', 'y', [['a', 'one'], 0]],
    ['what came before it in its iteration', 'y2', [['a', 'one'], 0]],
    ['after loops their outputs only', 'z', [['a', 'one', 'other'], undefined]],
    ['all there is, where the node did not run', 'end', [['a', 'one', 'other', 'z'], undefined]],
    ['all of the iteration, where the node in a loop did not run', 'new', [['a', 'x'], 0]],
    ['nothing that is known in a loop that did not run', 'idleBody', undefined],
  ] as const)
    it(what, () => assert.deepEqual(seen(nodeId), expected));

  it('all of an iteration at its end', () => {
    assert.deepEqual(seen('one', 'forEach', 'result'), [['a', 'x'], 0]);
    assert.deepEqual(seen('one', 'forEach', 'items'), [['a'], undefined]);
  });

  it('nothing that is known where iterations have no numbers', () => {
    const again = { nodeId: 'a', status: completed, startedAt: new Date(5) };
    assert.equal(seen('a', '', '', [{ ...again, startedAt: new Date(1) }, again]), undefined);
    assert.equal(seen('a', '', '', [{ ...again, iteration: [0] }]), undefined);
  });

  it('the last attempt of each node, in each iteration', () => {
    const { iterations = [] } = dataOf(rows).runTree.summaries().get('x') ?? {};
    assert.deepEqual(
      iterations.map(({ attempt, iteration }) => [attempt, iteration]),
      [
        [1, [0]],
        [2, [1]],
      ],
    );
  });
});
