// What it costs that expressions run in worker threads: a thousand of them, in the service's own thread and in the sandbox.
import jsonata from 'jsonata';
import { Sandbox } from '../../src/service/sandbox/sandbox.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type ExpressionScope, ScopeValue } from '../../src/definition/expressionScope.ts';

const rounds = 5;
const count = 1000;
const { signal } = new AbortController();

interface Case {
  readonly name: string;
  readonly expression: string;
  readonly input: object;
}

const rows = Array.from({ length: 10_000 }, (_, index) => ({
  id: index,
  name: `Row ${index}`,
  price: index,
}));
const cases: readonly Case[] = [
  {
    name: 'a small input',
    expression: '{ "total": $sum(input.lines.(price * quantity)), "who": $uppercase(input.who) }',
    input: { who: 'Ada', lines: [1, 2, 3].map((n) => ({ price: n, quantity: 2 })) },
  },
  {
    name: 'a large input',
    expression: 'input.first.name & " " & item',
    input: { first: rows[0] ?? {}, rows },
  },
];

async function time(work: (index: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await work(index);
  return performance.now() - started;
}

/** As the service did it before: evaluated and written, in its own thread. */
async function evaluateHere({ expression, input }: Case, item: number): Promise<string> {
  const parsed = jsonata(expression, { timeout: 1000, stack: 500, sequence: 100_000 });
  const value: unknown = await parsed.evaluate({ input, nodes: {}, item, index: item });
  return JSON.stringify(value);
}

async function measure(one: Case): Promise<readonly Figure[]> {
  const sandbox = new Sandbox();
  const input = new ScopeValue(JSON.stringify(one.input));
  const evaluateThere = (index: number): Promise<unknown> => {
    const item = new ScopeValue(String(index));
    const scope: ExpressionScope = { input, nodes: new Map(), loop: { item, index } };
    return sandbox.evaluate(one.expression, scope, signal);
  };
  const evaluateHereNext = (index: number): Promise<unknown> => evaluateHere(one, index);
  const here: number[] = [];
  const there: number[] = [];
  for (const work of [evaluateHereNext, evaluateThere]) await time(work);
  for (let round = 0; round < rounds; round += 1) {
    here.push(await time(evaluateHereNext));
    there.push(await time(evaluateThere));
  }
  await sandbox.dispose();
  const name = `1,000 expressions, ${one.name}`;
  const aim = 'at most 1,000 ms more';
  return [
    { name: `${name}, in the thread`, values: here, unit: 'ms' },
    { name: `${name}, in the sandbox`, values: there, unit: 'ms', comparedTo: `${name}, in the thread`, aim },
  ];
}

/** The first expression waits for a worker to start. */
async function measureStart(): Promise<Figure> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sandbox = new Sandbox();
    const started = performance.now();
    const scope: ExpressionScope = { input: new ScopeValue('{}'), nodes: new Map(), loop: null };
    await sandbox.evaluate('1', scope, signal);
    values.push(performance.now() - started);
    await sandbox.dispose();
  }
  return { name: 'The first expression of a service', values, unit: 'ms' };
}

export const sandbox: Benchmark = {
  name: 'Expressions in the sandbox',
  async measure() {
    const figures: Figure[] = [];
    for (const one of cases) figures.push(...(await measure(one)));
    return [...figures, await measureStart()];
  },
};
