// Where nodes are drawn, and where the keys lead from them.
import assert from 'node:assert/strict';
import { readGraph } from '../../../src/features/graph/readGraph.ts';
import { type Box, placeGraph } from '../../../src/webview/graph/layout.ts';
import { nodeAfterKey, readingOrder } from '../../../src/webview/graph/moves.ts';
import { axisTicks } from '../../../src/webview/graph/timelinePane.ts';
import { firstView, fitView, revealBox, zoomView } from '../../../src/webview/graph/viewport.ts';
import { largeDefinition } from '../../support/graphs.ts';

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const within = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

describe('the layout of a graph', () => {
  const { nodes, edges } = readGraph(largeDefinition(120), []);
  for (const direction of ['right', 'down'] as const) {
    const placed = placeGraph(nodes, edges, direction);
    const boxOf = (id: string): Box => placed.nodes.get(id) ?? assert.fail(id);

    it(`(${direction}) places every node once, and no two on top of each other`, () => {
      assert.equal(placed.nodes.size, nodes.length);
      const all = [...placed.nodes.values()];
      for (const [index, box] of all.entries())
        assert.ok(!all.slice(index + 1).some((other) => overlap(box, other)));
    });

    it(`(${direction}) has each node of a loop in the loop's box, and no other node there`, () => {
      assert.ok(placed.loops.size > 5);
      for (const [loop, body] of placed.loops)
        for (const { id, loop: own } of nodes)
          assert.equal(own === loop ? within(boxOf(id), body) : overlap(boxOf(id), body), own === loop, id);
    });

    it(`(${direction}) leads every edge on in the direction, within the drawing`, () => {
      for (const { source, target } of edges) {
        const [from, to] = [boxOf(source), boxOf(target)];
        assert.ok(direction === 'right' ? from.x + from.width <= to.x : from.y + from.height <= to.y);
      }
      const whole = { x: 0, y: 0, width: placed.width, height: placed.height };
      for (const box of placed.nodes.values()) assert.ok(within(box, whole));
    });
  }

  it('draws circles, edges to themselves and names that look like its own', () => {
    const odd = ['node a', 'body a', 'a', '__proto__'].map((id) => ({ id, name: id, type: '', loop: null }));
    const circle = [
      { source: 'a', target: 'body a', branch: '' },
      { source: 'body a', target: 'a', branch: 'x' },
      { source: 'a', target: 'a', branch: '' },
      { source: 'a', target: '__proto__', branch: '' },
      { source: 'a', target: 'missing', branch: '' },
    ];
    const placed = placeGraph(odd, circle, 'right');
    assert.equal(placed.nodes.size, 4);
    assert.deepEqual(
      placed.edges.map(({ points }) => points.length > 1),
      [true, true, true, true, false],
    );
  });

  it('is empty for nothing', () => assert.equal(placeGraph([], [], 'right').nodes.size, 0));
});

describe('the keys in a graph', () => {
  const { nodes, edges } = readGraph(
    {
      nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, type: 'log' })),
      edges: [
        { source: 'a', target: 'b' },
        { source: 'a', target: 'c' },
        { source: 'b', target: 'd' },
        { source: 'c', target: 'd' },
      ],
    },
    [],
  );
  const placed = { right: placeGraph(nodes, edges, 'right'), down: placeGraph(nodes, edges, 'down') };
  for (const [direction, from, key, to] of [
    ['right', 'b', 'ArrowRight', 'd'],
    ['right', 'b', 'ArrowLeft', 'a'],
    ['right', 'b', 'ArrowDown', 'c'],
    ['right', 'c', 'ArrowUp', 'b'],
    ['right', 'a', 'ArrowLeft', undefined],
    ['right', 'b', 'End', 'd'],
    ['right', 'd', 'Home', 'a'],
    ['right', 'a', 'x', undefined],
    ['down', 'b', 'ArrowDown', 'd'],
    ['down', 'b', 'ArrowUp', 'a'],
    ['down', 'b', 'ArrowRight', 'c'],
  ] as const)
    it(`${direction}: ${key} leads from ${from} to ${to ?? 'nowhere'}`, () =>
      assert.equal(nodeAfterKey(placed[direction], edges, from, key), to));

  it('are in the order in which nodes are read out', () =>
    assert.deepEqual(readingOrder(placed.right), ['a', 'b', 'c', 'd']));
});

describe('the view onto a graph', () => {
  const window = { width: 400, height: 200 };
  it('shows a small graph whole and in the middle', () =>
    assert.deepEqual(fitView({ width: 200, height: 100 }, window), { scale: 1, x: 100, y: 50 }));
  it('begins with the beginning of a large one, so that it can be read', () =>
    assert.deepEqual(firstView({ width: 4000, height: 100 }, window), { scale: 0.9, x: 0, y: 55 }));
  it('keeps the point under the pointer when it is scaled', () =>
    assert.deepEqual(zoomView({ x: 0, y: 0, scale: 1 }, 2, { x: 10, y: 20 }), { scale: 2, x: -10, y: -20 }));
  it('moves no more than it takes to bring a node into sight', () => {
    const box = { x: 500, y: 50, width: 100, height: 40 };
    assert.deepEqual(revealBox({ x: 0, y: 0, scale: 1 }, box, window), { scale: 1, x: -212, y: 0 });
  });
});

describe('the scale of the timeline', () => {
  for (const [length, width, texts] of [
    [0, 300, ['0 ms']],
    [450, 300, ['0 ms', '100 ms', '200 ms', '300 ms', '400 ms']],
    [5600, 300, ['0 ms', '1 s', '2 s', '3 s', '4 s', '5 s']],
    [7_200_000, 300, ['0 ms', '30 min', '1 h', '1.5 h']],
  ] as const)
    it(`of ${length} ms on ${width} pixels says ${texts.join(', ')}`, () =>
      assert.deepEqual(
        axisTicks(length, width).map(({ text }) => text),
        texts,
      ));
});
