// What a node is executed with is what the definition shows: the execution, and the iteration of each loop around the node.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../../src/definition/definitionText.ts';
import { iterationOf, requestsOf } from '../../../../src/features/definitions/drafts/executeNode.ts';
import { foldNodeRuns, makeNodeLog, statusOf, treeOf } from '../../../support/memory/records.ts';

const status = statusOf('completed');
const forEach = { type: 'forEach' };
const edge = (source: string, target: string, branch?: string) => ({ source, target, branch: branch ?? '' });
const text = DefinitionText.of({
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'outer', ...forEach },
    { id: 'inner', ...forEach },
    { id: 'a', type: 'transform' },
    { id: 'b', type: 'httpRequest', config: { method: 'POST', url: 'https://example.com/{{ item }}' } },
    { id: 'c', type: 'httpRequest', config: { url: 'https://example.com/c' } },
  ],
  edges: [
    edge('start', 'outer'),
    edge('outer', 'inner', 'each'),
    edge('inner', 'a', 'each'),
    edge('a', 'b'),
    edge('outer', 'c', 'done'),
  ],
});
const rows = (...places: readonly (readonly [nodeId: string, ...iteration: number[]])[]) =>
  foldNodeRuns(
    places.map(([nodeId, ...iteration], at) => {
      const nodeType = text.byId.get(nodeId)?.type ?? null;
      return makeNodeLog(at + 1, { nodeId, nodeType, iteration, status });
    }),
  );

describe('a node that is executed', () => {
  it('has the iterations that are shown, outermost first', () => {
    const tree = treeOf(
      rows(
        ['start'],
        ['outer'],
        ['inner', 0],
        ['a', 0, 0],
        ['inner', 1],
        ['a', 1, 0],
        ['a', 1, 1],
        ['a', 1, 2],
      ),
    );
    const keys =
      tree
        .select(new Map())
        .get('a')
        ?.loops.map(({ key }) => key) ?? [];
    const nodes = tree.select(new Map([[keys[0] ?? '', 1], [keys[1] ?? '', 2]])); // prettier-ignore
    assert.deepEqual(iterationOf(text, nodes, 'a'), [1, 2]);
    // One that didn't run has those of its neighbours.
    assert.deepEqual(iterationOf(text, nodes, 'b'), [1, 2]);
    assert.deepEqual(iterationOf(text, nodes, 'inner'), [1]);
    assert.deepEqual(iterationOf(text, nodes, 'c'), []);
    assert.deepEqual(iterationOf(text, new Map(), 'a'), [0, 0]);
  });

  it('shows the iteration that it was executed in, and is executed there again', () => {
    const nodes = treeOf(rows(['a', 1, 7])).select(new Map());
    assert.deepEqual(nodes.get('a')?.run?.iteration, [1, 7]);
    assert.deepEqual(iterationOf(text, nodes, 'a'), [1, 7]);
  });

  it('is said to call what its requests are', () => {
    assert.deepEqual(requestsOf([...text.byId.values()]), [
      { nodeId: 'b', request: 'POST https://example.com/{{ item }}' },
      { nodeId: 'c', request: 'GET https://example.com/c' },
    ]);
  });
});
