// What a layout may cost, whatever the definition: the page stands still while it's made.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DefinitionText } from '../../../src/definition/definitionText.ts';
import { readGraph } from '../../../src/features/graph/readGraph.ts';
import { placeGraph, type PlacedGraph } from '../../../src/webview/graph/layout.ts';
import { largeDefinition } from '../../support/graphs.ts';
import { createRandom } from '../../support/randomNumbers.ts';

/** Only a fault takes longer or more. */
const bounds = { seconds: 20, megabytes: 256 } as const;

type Ends = readonly [source: number, target: number];

function definitionOf(count: number, edges: readonly Ends[], type = 'log') {
  return {
    nodes: Array.from({ length: count }, (_, at) => ({ id: `n${at}`, type })),
    edges: edges.map(([source, target], at) => ({
      source: `n${source}`,
      target: `n${target}`,
      branch: type === 'forEach' ? 'each' : `b${at}`,
    })),
  };
}

/** The same values each time. */
function randomEdges(count: number, total: number, order: (ends: Ends) => Ends): readonly Ends[] {
  const random = createRandom(7);
  const next = (): number => Math.floor(random() * count);
  return Array.from({ length: total }, () => order([next(), next()]));
}

const asTheyCome = (ends: Ends): Ends => ends;
const onward = ([one, other]: Ends): Ends => [Math.min(one, other), Math.max(one, other)];
const chain = (length: number): readonly Ends[] =>
  Array.from({ length: length - 1 }, (_, at): Ends => [at, at + 1]);

const graphs = {
  'dense, 200 nodes and 800 edges': definitionOf(200, randomEdges(200, 800, onward)),
  'dense, 1,000 nodes and 4,000 edges': definitionOf(1000, randomEdges(1000, 4000, onward)),
  'full of circles, 200 nodes and 800 edges': definitionOf(200, randomEdges(200, 800, asTheyCome)),
  'full of circles, 1,000 nodes and 4,000 edges': definitionOf(1000, randomEdges(1000, 4000, asTheyCome)),
  'two layers of 60, each with each': definitionOf(
    120,
    Array.from({ length: 3600 }, (_, at): Ends => [Math.floor(at / 60), 60 + (at % 60)]),
  ),
  'a chain of 1,000': definitionOf(1000, chain(1000)),
  'a chain of 1,000 with each node leading to the last': definitionOf(1000, [
    ...chain(1000),
    ...Array.from({ length: 998 }, (_, at): Ends => [at, 999]),
  ]),
  '1,000 loops inside each other': definitionOf(1000, chain(1000), 'forEach'),
  'one node that leads to 999': definitionOf(
    1000,
    Array.from({ length: 999 }, (_, at): Ends => [0, at + 1]),
  ),
  '1,000 nodes without edges': definitionOf(1000, []),
  'two nodes with 4,000 edges': definitionOf(
    2,
    Array.from({ length: 4000 }, (): Ends => [0, 1]),
  ),
};

async function place(definition: object): Promise<readonly PlacedGraph[]> {
  const worker = new Worker(new URL('./placingWorker.ts', import.meta.url), {
    workerData: definition,
    execArgv: ['--require', './test/support/registerVscode.ts'],
    resourceLimits: { maxOldGenerationSizeMb: bounds.megabytes },
  });
  const placed: PlacedGraph[][] = [];
  worker.on('message', (message: PlacedGraph[]) => placed.push(message));
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(bounds.seconds * 1000) });
    return placed[0] ?? assert.fail();
  } finally {
    await worker.terminate();
  }
}

describe('the layout of a graph that is', () => {
  for (const [name, definition] of Object.entries(graphs))
    it(`${name}: takes less than ${bounds.seconds} s and ${bounds.megabytes} MB, and places all of it`, async () => {
      for (const placed of await place(definition)) {
        assert.equal(placed.nodes.size, definition.nodes.length);
        for (const { points } of placed.edges) assert.ok(points.length > 1);
        const numbers = [...placed.nodes.values()].flatMap(({ x, y }) => [x, y]);
        assert.ok(numbers.every((at) => at >= 0));
        const places = new Set([...placed.nodes.values()].map(({ x, y }) => `${x} ${y}`));
        assert.equal(places.size, definition.nodes.length, 'no two at one place');
      }
    });
});

describe('a layout says that it is in plain layers', () => {
  it('when it would take too long otherwise, and not for 400 nodes as people write them', () => {
    const isSimplified = (definition: object): boolean => {
      const { nodes, edges } = readGraph(DefinitionText.of({ ...definition }), []);
      return placeGraph(nodes, edges, 'right').isSimplified;
    };
    assert.equal(isSimplified(graphs['dense, 200 nodes and 800 edges']), true);
    assert.equal(isSimplified(largeDefinition(400)), false);
  });
});
