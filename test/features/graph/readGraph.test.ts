// What is drawn of a definition, and how its nodes and edges look for an execution.
import assert from 'node:assert/strict';
import orderTotals from '../../../media/samples/order-totals.json' with { type: 'json' };
import type { JsonValue } from '../../../src/base/json.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { maximumNodes, readGraph } from '../../../src/features/graph/readGraph.ts';
import { renderRun, maximumBars } from '../../../src/features/graph/renderRun.ts';
import { RunDifference } from '../../../src/features/graph/runDifference.ts';
import { at, ranRow, shownExecution } from '../../support/graphs.ts';

const node = (id: string, type = 'log') => ({ id, name: id.toUpperCase(), type });
const graphOf = (definition: JsonValue, nodeRuns: readonly NodeRun[] = []) =>
  readGraph(new DefinitionText(JSON.stringify(definition)), nodeRuns);
const nodesOf = (definition: JsonValue) => graphOf(definition).nodes.map(({ id }) => id);

describe('the graph of a definition', () => {
  it('has the nodes of a loop in its body', () => {
    const loops = graphOf(orderTotals).nodes.map(({ id, loop }) => [id, loop]);
    assert.deepEqual(loops, [
      ['order', null],
      ['lines', null],
      ['pick', 'lines'],
      ['price', 'lines'],
      ['say', 'lines'],
      ['sum', null],
      ['receipt', null],
    ]);
  });

  for (const [what, definition] of [
    ['no definition', null],
    ['no object', [1]],
    ['no nodes', {}],
    ['nodes that are none', { nodes: [1, null, {}, { id: '' }, { id: 3 }, []], edges: 'none' }],
  ] as const)
    it(`is empty for ${what}`, () => assert.deepEqual(nodesOf(definition), []));

  it('has the first node of each id, and no edge from or to a node that is not there', () => {
    const { nodes, edges } = graphOf({
      nodes: [node('a'), { ...node('a'), name: 'second' }, node('b')],
      edges: [
        { source: 'a', target: 'b', branch: true },
        { source: 'a', target: 'b', branch: 'true' },
        { source: 'a', target: 'c' },
        { source: 'a' },
        7,
      ],
    });
    assert.deepEqual(
      nodes.map(({ name }) => name),
      ['A', 'B'],
    );
    assert.deepEqual(edges, [{ source: 'a', target: 'b', branch: 'true' }]);
  });

  it('survives circles', () => {
    const edges = [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'a' },
      { source: 'b', target: 'b' },
    ];
    assert.equal(graphOf({ nodes: [node('a'), node('b')], edges }).edges.length, 3);
  });

  it('has the nodes that ran but are not in the definition any more', () => {
    const { nodeRuns } = shownExecution([ranRow('gone', 'completed', [0, 1])]);
    assert.deepEqual(
      graphOf({ nodes: [node('a')], edges: [] }, nodeRuns).nodes.map(({ id }) => id),
      ['a', 'gone'],
    );
  });

  it('leaves out what is too much to draw, and says how much', () => {
    const nodes = Array.from({ length: maximumNodes + 5 }, (_, index) => node(`n${index}`));
    const graph = graphOf({ nodes, edges: [] });
    assert.equal(graph.nodes.length, maximumNodes);
    assert.equal(graph.omitted, 5);
  });
});

const branching = graphOf({
  nodes: ['if', 'then', 'after'].map((id) => node(id)),
  edges: [
    { source: 'if', target: 'then', branch: 'true' },
    { source: 'if', target: 'after', branch: 'false' },
    { source: 'then', target: 'after' },
  ],
});

describe('an edge', () => {
  for (const [what, rows, looks] of [
    ['nothing ran', [], ['plain', 'plain', 'plain']],
    [
      'a branch was taken, and both lead to the same node',
      ['if', 'then', 'after'].map((id) => ranRow(id, 'completed', [0, 1], { output: true })),
      ['taken', 'notTaken', 'taken'],
    ],
    [
      'the other branch was taken',
      [
        ranRow('if', 'completed', [0, 1], { output: false }),
        ranRow('then', 'skipped', [1, 1]),
        ranRow('after', 'completed', [1, 2]),
      ],
      ['notTaken', 'taken', 'notTaken'],
    ],
    [
      'the service does not tell the branch',
      ['if', 'then', 'after'].map((id) => ranRow(id, 'completed', [0, 1])),
      ['taken', 'plain', 'taken'],
    ],
  ] as const)
    it(`is ${looks.join(', ')} when ${what}`, () =>
      assert.deepEqual(renderRun(branching, shownExecution(rows), []).edges, looks));
});

const handling = graphOf({
  nodes: ['call', 'good', 'bad', 'after'].map((id) => node(id)),
  edges: [
    { source: 'call', target: 'good' },
    { source: 'call', target: 'bad', branch: 'error' },
    { source: 'call', target: 'after' },
    { source: 'bad', target: 'after' },
  ],
});

describe('an error branch', () => {
  const looksOf = (rows: readonly NodeLog[]) => renderRun(handling, shownExecution(rows), []).edges;
  const after = ranRow('after', 'completed', [2, 3]);

  it('is taken when its node failed, and the other edges are not, wherever they lead', () => {
    const rows = [
      ranRow('call', 'failed', [0, 1]),
      ranRow('good', 'skipped', [1, 1]),
      ranRow('bad', 'completed', [1, 2]),
      after,
    ];
    assert.deepEqual(looksOf(rows), ['notTaken', 'taken', 'notTaken', 'taken']);
  });

  it('is not taken when its node completed', () => {
    const rows = [
      ranRow('call', 'completed', [0, 1]),
      ranRow('good', 'completed', [1, 2]),
      ranRow('bad', 'skipped', [1, 1]),
      after,
    ];
    assert.deepEqual(looksOf(rows), ['taken', 'notTaken', 'taken', 'notTaken']);
  });
});

describe('the first difference of a comparison', () => {
  const rows = ['if', 'then'].map((id) => ranRow(id, 'completed', [0, 1]));
  const detailsFor = (differentNodeId: string | null) =>
    renderRun(branching, shownExecution(rows), [], { differentNodeId }).nodes.map(({ detail }) => detail);

  it('is marked on its node, and said aloud', () => {
    assert.deepEqual(detailsFor('then'), ['completed · 1 ms', '≠ completed · 1 ms', 'not run']);
    const [, then] = renderRun(branching, shownExecution(rows), [], { differentNodeId: 'then' }).nodes;
    assert.match(then?.aloud ?? '', /^the first difference in the comparison/);
  });

  it('is marked nowhere without a comparison', () =>
    assert.ok(!detailsFor(null).some((detail) => detail.includes('≠'))));
});

describe('the timeline beside the graph', () => {
  const lanesOf = (...rows: Parameters<typeof shownExecution>[0]) =>
    renderRun(branching, shownExecution(rows), []).lanes;

  it('has a lane for each node that ran, in the order of their starts, and none for a skipped one', () => {
    const lanes = lanesOf(
      ranRow('then', 'completed', [5, 9]),
      ranRow('if', 'completed', [0, 5]),
      ranRow('after', 'skipped', [9, 9]),
    );
    assert.deepEqual(
      lanes.map(({ id, detail }) => [id, detail]),
      [
        ['if', '5 ms'],
        ['then', '4 ms'],
      ],
    );
  });

  it('tells an earlier attempt from the last one', () => {
    const [lane] = lanesOf(
      ranRow('if', 'failed', [0, 5]),
      ranRow('if', 'completed', [50, 60], { attempt: 2 }),
    );
    assert.deepEqual(
      lane?.bars.map(({ kind, state, label }) => [kind, state, label]),
      [
        ['earlier', 'failed', 'failed, 5 ms'],
        ['work', 'completed', 'attempt 2: completed, 10 ms'],
      ],
    );
  });

  it('shows what only waited, to scale', () => {
    const [lane] = lanesOf(
      ranRow('if', 'running', [0], { key: '1' }),
      ranRow('if', 'waiting', [0], { key: '2', timestamp: at(10) }),
      ranRow('if', 'completed', [0, 110], { key: '3' }),
    );
    const start = at(0).getTime();
    assert.deepEqual(
      lane?.bars.map(({ kind, from, to }) => [kind, from - start, to - start]),
      [
        ['work', 0, 10],
        ['wait', 10, 110],
      ],
    );
  });

  it('has a bounded number of bars, the most urgent state in each', () => {
    const rows = Array.from({ length: 5000 }, (_, index) =>
      ranRow('then', index === 77 ? 'failed' : 'completed', [index, index + 1], { iteration: [index] }),
    );
    const [lane] = lanesOf(...rows);
    assert.ok(lane !== undefined && lane.bars.length <= maximumBars);
    assert.equal(lane.bars.filter(({ state }) => state === 'failed').length, 1);
    assert.equal(lane.bars.at(-1)?.to, at(5000).getTime());
  });
});

describe('what a page is sent', () => {
  it('is only what has changed', () => {
    const difference = new RunDifference();
    const send = (...rows: Parameters<typeof shownExecution>[0]) =>
      difference.next(renderRun(branching, shownExecution(rows, 'running'), []));
    const ended = ranRow('if', 'completed', [0, 5]);
    assert.equal(send(ended)?.nodes?.length, 3);
    assert.equal(send(ended), undefined);
    const next = send(ended, ranRow('then', 'running', [5]));
    assert.deepEqual(
      next?.nodes?.map(({ id }) => id),
      ['then'],
    );
    assert.deepEqual(
      next.lanes?.map(({ id }) => id),
      ['then'],
    );
  });

  it('has a lane again that was gone meanwhile, though it is as it was before', () => {
    const difference = new RunDifference();
    const send = (...rows: Parameters<typeof shownExecution>[0]) =>
      difference.next(renderRun(branching, shownExecution(rows, 'completed'), []));
    const [first, then] = [ranRow('if', 'completed', [0, 5]), ranRow('then', 'completed', [5, 9])];
    send(first, then);
    send(first);
    const again = send(first, then);
    assert.deepEqual(
      again?.lanes?.map(({ id }) => id),
      ['then'],
    );
  });
});
