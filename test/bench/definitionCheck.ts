// How soon an author of a large definition is told what is wrong with it, and offered what comes next. The check has a thread of its own.
import { checkText } from '../../src/definition/checkText.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { KnownExpressions } from '../../src/definition/expressions.ts';
import { noValues } from '../../src/ui/expressions/shownValues.ts';
import { findOffers } from '../../src/features/definitions/completion/offers.ts';
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

function timesOf(work: () => unknown): readonly number[] {
  return Array.from({ length: 7 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
}

const timesOfCheck = (text: string, known?: KnownExpressions): readonly number[] =>
  timesOf(() => checkText(text, 'local', known?.read));

/** Asks for completions after the last `nodes.` */
const timesOfCompletion = (text: string): readonly number[] =>
  timesOf(() => findOffers(new DefinitionText(text), text.lastIndexOf('nodes.') + 'nodes.'.length, noValues));

export const definitionCheck: Benchmark = {
  name: 'Check of a definition',
  measure() {
    timesOfCheck(chainOf(50));
    return Promise.resolve([
      { name: '50 nodes', values: timesOfCheck(chainOf(50)), unit: 'ms' },
      { name: '500 nodes', values: timesOfCheck(chainOf(500)), unit: 'ms', aim: 'under 500 ms' },
      {
        name: '500 nodes again, after an edit',
        values: timesOfCheck(chainOf(500), new KnownExpressions()),
        unit: 'ms',
      },
      {
        name: 'Completion among 500 nodes',
        values: timesOfCompletion(chainOf(500)),
        unit: 'ms',
        aim: 'under 100 ms',
      },
    ]);
  },
};
