// Where nodes are drawn, and where the keys lead from them.
import assert from 'node:assert/strict';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { readGraph } from '../../../src/features/graph/readGraph.ts';
import type { Box, Point } from '../../../src/webview/graph/geometry.ts';
import { placeGraph, type PlacedGraph } from '../../../src/webview/graph/layout.ts';
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

/** The row by the place across the layers. */
const rowOf = ({ rows, direction }: PlacedGraph, { x, y }: Point): number =>
  rows.findLastIndex((start) => start <= (direction === 'right' ? y : x));

const chainOf = (count: number) => {
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  const edges = ids.slice(1).map((target, at) => ({ source: `n${at}`, target, branch: '' }));
  return { ids, nodes: ids.map((id) => ({ id, name: id, type: 'log', loop: null })), edges };
};

describe('the layout of a graph', () => {
  const { nodes, edges } = readGraph(DefinitionText.of(largeDefinition(120)), []);
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

    it(`(${direction}) leads every edge on in the direction or to the next row, within the drawing`, () => {
      for (const { source, target } of edges) {
        const [from, to] = [boxOf(source), boxOf(target)];
        const change = rowOf(placed, to) - rowOf(placed, from);
        assert.ok(change === 0 || change === 1);
        if (change === 1) continue;
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

describe('a long graph', () => {
  for (const [direction, least, most] of [
    ['right', 1.5, 4],
    ['down', 0.4, 1.2],
  ] as const) {
    const { ids, nodes, edges } = chainOf(60);
    const placed = placeGraph(nodes, edges, direction);
    const boxes = ids.map((id) => placed.nodes.get(id) ?? assert.fail(id));

    it(`(${direction}) is in rows that together are about as wide and high as a pane`, () => {
      const ratio = placed.width / placed.height;
      assert.ok(ratio > least && ratio < most, String(ratio));
      for (const [index, box] of boxes.entries())
        assert.ok(!boxes.slice(index + 1).some((other) => overlap(box, other)));
    });

    it(`(${direction}) is read row by row, as its edges lead`, () => {
      assert.ok(placed.rows.length > 2);
      assert.deepEqual(readingOrder(placed), ids);
      const inRows = boxes.map((box) => rowOf(placed, box));
      assert.deepEqual(
        inRows,
        inRows.toSorted((one, other) => one - other),
      );
      assert.equal(new Set(inRows).size, placed.rows.length);
      assert.equal(nodeAfterKey(placed, edges, 'n0', 'End'), 'n59');
      for (const [at, id] of ids.entries()) {
        const key = direction === 'right' ? 'ArrowRight' : 'ArrowDown';
        assert.equal(nodeAfterKey(placed, edges, id, key), ids[at + 1]);
      }
    });

    it(`(${direction}) has lines from node to node, within the drawing and through no other node`, () => {
      for (const [at, { points }] of placed.edges.entries()) {
        const [first, last] = [points[0] ?? assert.fail(), points.at(-1) ?? assert.fail()];
        const [from, to] = [boxes[at] ?? assert.fail(), boxes[at + 1] ?? assert.fail()];
        assert.ok(within({ ...first, width: 0, height: 0 }, from));
        assert.ok(within({ ...last, width: 0, height: 0 }, to));
        for (const [index, { x, y }] of points.slice(1).entries()) {
          const before = points[index] ?? assert.fail();
          const line = {
            x: Math.min(x, before.x),
            y: Math.min(y, before.y),
            width: Math.abs(x - before.x),
            height: Math.abs(y - before.y),
          };
          assert.ok(!boxes.some((box) => overlap(line, box)));
          assert.ok(within(line, { x: 0, y: 0, width: placed.width, height: placed.height }));
        }
      }
    });
  }

  it('of up to twelve layers, or with branches beside each other throughout, stays in one row', () => {
    const short = chainOf(12);
    assert.equal(placeGraph(short.nodes, short.edges, 'right').rows.length, 1);
    const long = chainOf(60);
    const around = [...long.edges, { source: 'n0', target: 'n59', branch: 'else' }];
    assert.equal(placeGraph(long.nodes, around, 'right').rows.length, 1);
  });

  it('breaks only where one edge leads on, and keeps the name of its branch at the line', () => {
    const { nodes, edges } = chainOf(60);
    const bypass = { source: 'n3', target: 'n12', branch: 'else' };
    const named = [...edges.map((edge) => ({ ...edge, branch: 'then' })), bypass];
    const placed = placeGraph(nodes, named, 'right');
    const rowsOf = [3, 6, 9, 12].map((at) => rowOf(placed, placed.nodes.get(`n${at}`) ?? assert.fail()));
    assert.ok(placed.rows.length > 2);
    assert.equal(new Set(rowsOf).size, 1);
    for (const { points, label } of placed.edges) {
      assert.ok(label !== null);
      const ys = points.map(({ y }) => y);
      assert.ok(label.y >= Math.min(...ys) - 1 && label.y <= Math.max(...ys) + 1);
    }
  });
});

describe('the keys in a graph', () => {
  const { nodes, edges } = readGraph(
    DefinitionText.of({
      nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, type: 'log' })),
      edges: [
        { source: 'a', target: 'b' },
        { source: 'a', target: 'c' },
        { source: 'b', target: 'd' },
        { source: 'c', target: 'd' },
      ],
    }),
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
    [80_000, 400, ['0 ms', '10 s', '20 s', '30 s', '40 s', '50 s', '1 min', '70 s']],
    [5_000_000, 400, ['0 ms', '10 min', '20 min', '30 min', '40 min', '50 min', '1 h', '70 min']],
    [86_400_000 * 2.6, 300, ['0 ms', '12 h', '1 d', '1.5 d', '2 d']],
  ] as const)
    it(`of ${length} ms on ${width} pixels says ${texts.join(', ')}`, () =>
      assert.deepEqual(
        axisTicks(length, width).map(({ text }) => text),
        texts,
      ));
});
