// Random definitions of nodes that call a server, each a path of its own in each iteration, and of loops around them.
import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import { edge, end, start } from './callingDefinitions.ts';

export type Step =
  | { readonly kind: 'call' }
  | { readonly kind: 'loop'; readonly turns: number; readonly steps: readonly Step[] };

export const { steps } = fc.letrec<{ step: Step; steps: readonly Step[] }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', maxDepth: 2, withCrossShrink: true },
    fc.constant({ kind: 'call' } as const),
    fc.record({
      kind: fc.constant('loop' as const),
      turns: fc.integer({ min: 1, max: 3 }),
      steps: tie('steps'),
    }),
  ),
  steps: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
}));
/** Adds the steps after one another, each as a node or a loop. */
function addSteps(
  all: readonly Step[],
  from: JsonObject,
  origin: string,
  nodes: JsonObject[],
  edges: JsonObject[],
  depth: number,
): void {
  let before = from;
  for (const step of all) {
    const id = `n${nodes.length}`;
    const item = depth === 0 ? '"t"' : 'item';
    edges.push({ ...before, target: id });
    if (step.kind === 'call') {
      nodes.push({ id, type: 'httpRequest', config: { url: `${origin}/${id}/{{ ${item} }}` } });
      before = edge(id, '');
    } else {
      const items = `$map([1..${step.turns}], function($turn) { ${item} & "." & $turn })`;
      nodes.push({ id, type: 'forEach', config: { items } });
      addSteps(step.steps, edge(id, '', 'each'), origin, nodes, edges, depth + 1);
      before = edge(id, '', 'done');
    }
  }
  if (depth === 0) {
    nodes.push(end('nodes'));
    edges.push({ ...before, target: 'end' });
  }
}

export function definitionOf(all: readonly Step[], origin: string): JsonObject {
  const nodes: JsonObject[] = [start];
  const edges: JsonObject[] = [];
  addSteps(all, edge('start', ''), origin, nodes, edges, 0);
  return { name: 'Any', nodes, edges };
}
