// A definition with a loop, a condition and an execution of it, for the tests of completion and hovers.
import type { JsonValue } from '../../../../src/base/json.ts';
import { readShownValues } from '../../../../src/features/definitions/shownExecution/readShownValues.ts';
import type { ShownValues } from '../../../../src/ui/expressions/shownValues.ts';
import {
  foldNodeRuns,
  makeExecution,
  makeNodeLog,
  makeShown,
  statusOf,
} from '../../../support/memory/records.ts';

/** The cursor in a text. */
const mark = '¦';

export function atMark(marked: string): { readonly text: string; readonly offset: number } {
  return { text: marked.replace(mark, ''), offset: marked.indexOf(mark) };
}

const inputSchema = {
  type: 'object',
  properties: {
    lines: {
      type: 'array',
      description: 'What was ordered.',
      items: {
        type: 'object',
        properties: { product: { type: 'string' }, price: { $ref: '#/$defs/money' } },
      },
    },
    taxPercent: { type: ['number', 'null'] },
  },
  $defs: { money: { type: 'number', description: 'In euros.' } },
};

const nodes = [
  { id: 'start', name: 'Order placed', type: 'trigger', config: { inputSchema } },
  { id: 'each', name: 'For each line', type: 'forEach', config: { items: 'input.lines' } },
  { id: 'price', type: 'transform', config: { expression: "{ 'product': item.product, 'total': 1 }" } },
  { id: 'say', name: 'Say it', type: 'log', config: { message: 'Hello' } },
  { id: 'large', type: 'condition', config: { expression: 'nodes.each[0].total > 100' } },
  { id: 'call', name: 'Call', type: 'httpRequest', config: { url: 'https://example.com' } },
  { id: 'end', type: 'output', config: { expression: 'input' } },
];
const edges = [
  { source: 'start', target: 'each' },
  { source: 'each', target: 'price', branch: 'each' },
  { source: 'price', target: 'say' },
  { source: 'each', target: 'large', branch: 'done' },
  { source: 'large', target: 'end', branch: 'true' },
];

/** The definition, with an edge or a node's config in place of its own; a string is the text of the value itself. */
export function order({
  edge,
  configs = {},
}: {
  readonly edge?: string;
  readonly configs?: Readonly<Record<string, string>>;
}): string {
  const nodeTexts = nodes.map((node) => {
    const config = configs[node.id];
    const text = JSON.stringify({ ...node, config: config === undefined ? node.config : 0 });
    return config === undefined ? text : text.replace('"config":0', () => `"config":${config}`);
  });
  const edgeTexts = [...edges.map((each) => JSON.stringify(each)), ...(edge === undefined ? [] : [edge])];
  return `{ "name": "Order",\n"nodes": [\n${nodeTexts.join(',\n')}\n],\n"edges": [\n${edgeTexts.join(',\n')}\n] }`;
}

/** The config of one node with an expression in which "¦" is the cursor. */
export function withCode(nodeId: string, code: string, member = 'expression'): string {
  return order({ configs: { [nodeId]: JSON.stringify({ [member]: code }) } });
}

const completed = (nodeId: string, output: JsonValue, iteration: readonly number[] = []) => ({
  nodeId,
  output,
  iteration,
  status: statusOf('completed'),
});

/** What a definition knows of the execution that it shows. */
export const valuesOf = (shown: ReturnType<typeof makeShown>): ShownValues =>
  readShownValues({ shown, nodes: shown.runTree.select(shown.iterations) });

/** Two iterations of the loop went well, and the condition failed. */
export const shownValues = valuesOf(
  makeShown({
    execution: makeExecution('e', {
      input: {
        lines: [
          { product: 'Tea', price: 2.5 },
          { product: 'Milk', price: 1 },
        ],
        'gift wrap': true,
      },
    }),
    nodeRuns: foldNodeRuns(
      [
        completed('start', {}),
        completed('price', { product: 'Tea', total: 5 }, [0]),
        completed('price', { product: 'Milk', total: 7 }, [1]),
        completed('each', [
          { product: 'Tea', total: 5 },
          { product: 'Milk', total: 7 },
        ]),
        {
          nodeId: 'large',
          status: statusOf('failed'),
          error: { code: null, message: 'No branch', nodeId: null },
        },
      ].map((row, index) => makeNodeLog(index + 1, row)),
    ),
  }),
);
