// How soon an author of a large definition is told what is wrong with it; the thread that checks it holds nothing else up.
import { checkText } from '../../src/definition/checkText.ts';
import { KnownExpressions } from '../../src/definition/expressions.ts';
import type { Benchmark } from './benchmark.ts';

/** Nodes one after the other, each with an expression of its own. */
function chainOf(count: number): string {
  const inner = Array.from({ length: count - 1 }, (_, index) => ({
    id: `n${index}`,
    type: 'transform',
    config: { expression: `input.a + ${index} * $sum(nodes.n${index}.lines.price)` },
  }));
  const nodes = [{ id: 'start', type: 'trigger' }, ...inner];
  const edges = inner.map(({ id }, index) => ({ source: nodes[index]?.id, target: id }));
  return JSON.stringify({ name: 'Chain', nodes, edges });
}

export const definitionCheck: Benchmark = {
  name: 'Check of a definition',
  measure() {
    const timesOf = (text: string, known?: KnownExpressions): readonly number[] =>
      Array.from({ length: 7 }, () => {
        const started = performance.now();
        checkText(text, true, known?.findFault);
        return performance.now() - started;
      });
    timesOf(chainOf(50));
    return Promise.resolve([
      { name: '50 nodes', values: timesOf(chainOf(50)), unit: 'ms' },
      { name: '500 nodes', values: timesOf(chainOf(500)), unit: 'ms', aim: 'under 500 ms' },
      {
        name: '500 nodes again, after an edit',
        values: timesOf(chainOf(500), new KnownExpressions()),
        unit: 'ms',
      },
    ]);
  },
};
