// What an expression gives on the records of an execution is what it gave the service: in every turn of every loop, behind every branch.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonArray, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import type { ExpressionPlace } from '../../src/definition/expressionPlaces.ts';
import { ExpressionValues } from '../../src/ui/expressions/expressionValues.ts';
import { findGiven } from '../../src/features/definitions/expressions/expressionHints.ts';
import type { RunItem } from '../../src/model/runs/runItems.ts';
import { scopeAtEnd, scopeOf } from '../../src/ui/expressions/scopeSnapshot.ts';
import type { Evaluator } from '../../src/service/sandbox/evaluator.ts';
import { createEvaluator, ran, type RanExecution } from '../support/ranExecution.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { tries } from '../support/properties.ts';

const expressions = fc.constantFrom(
  '$keys(nodes)',
  '$each(nodes, function($v, $k) { $k & $length($string($v)) })',
  '{ "item": item, "index": index }',
  '[input.list, $type(item)]',
  'index',
  'nothing',
  '$count($keys(nodes)) = 3',
);
const lists = fc.constantFrom(
  ...['[1, 2]', 'input.list', '["7", "true", "x"]', '[]', '"one"', '[[1], [2, 3]]', '[{ "a": null }, null]'],
  ...['item', '$keys(nodes)'],
);

type Step =
  | { readonly kind: 'transform' | 'log' | 'condition'; readonly expression: string }
  | {
      readonly kind: 'loop';
      readonly items: string;
      readonly result: string | undefined;
      readonly body: readonly Step[];
    };

const plainStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('transform', 'log', 'condition'),
  expression: expressions,
});
const stepsOf = (step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 1, maxLength: 3 });
const loopOf = (step: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant('loop'),
    items: lists,
    result: fc.option(expressions, { nil: undefined }),
    body: stepsOf(step),
  });
const inner = fc.oneof(plainStep, loopOf(plainStep));
const definitions = stepsOf(fc.oneof(plainStep, loopOf(inner))).map(toDefinition);

/** Each step follows the one before; a condition that isn't true ends in a node of its own. */
function toDefinition(steps: readonly Step[]): JsonObject {
  const nodes: JsonObject[] = [{ id: 'start', type: 'trigger' }];
  const edges: JsonObject[] = [];
  const add = (type: string, config: JsonObject, from: JsonObject): string => {
    const id = `n${nodes.length}`;
    nodes.push({ id, type, config });
    edges.push({ ...from, target: id });
    return id;
  };
  const addSteps = (all: readonly Step[], first: JsonObject): void => {
    let from = first;
    for (const step of all) from = addStep(step, from);
  };
  const addStep = (step: Step, from: JsonObject): JsonObject => {
    if (step.kind === 'loop') {
      const { items, result } = step;
      const id = add('forEach', { items, ...(result !== undefined && { result }) }, from);
      addSteps(step.body, { source: id, branch: 'each' });
      return { source: id, branch: 'done' };
    }
    const { kind, expression } = step;
    if (kind === 'log') return { source: add('log', { message: `A {{ ${expression} }}{{ index }}` }, from) };
    if (kind === 'transform') return { source: add('transform', { expression }, from) };
    const id = add('condition', { expression: `$boolean(${expression}) ? true : false` }, from);
    add('transform', { expression: '$keys(nodes)' }, { source: id, branch: false });
    return { source: id, branch: true };
  };
  addSteps(steps, { source: 'start' });
  return { name: 'Any', nodes, edges };
}

const { signal } = new AbortController();
const asText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

describe('what an expression gives on the records of an execution', () => {
  let service: TestService;
  let evaluator: Evaluator;
  let values: ExpressionValues;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
    evaluator = createEvaluator();
    values = new ExpressionValues(evaluator);
  });
  after(async () => {
    evaluator.dispose();
    await service.dispose();
  });

  /** All that the expressions of a node gave in one of its runs, in the form of the node's record. */
  async function giveAgain(
    { shown }: RanExecution,
    places: readonly ExpressionPlace[],
    run: RunItem,
  ): Promise<JsonValue> {
    const given: JsonValue[] = [];
    const [place] = places;
    if (place?.path[0] === 'items') {
      const result = places[1];
      for (const { scope } of run.iterations?.members ?? [])
        if (result !== undefined)
          given.push(await evaluate(values.evaluate(result.expression, scopeAtEnd(scope), shown, signal)));
      return given;
    }
    for (const { expression } of places)
      given.push(await evaluate(values.evaluate(expression, scopeOf(run), shown, signal)));
    return place?.path[0] === 'message' ? `A ${given.map(asText).join('')}` : (given[0] ?? null);
  }

  const evaluate = async (text: Promise<string>): Promise<JsonValue> => parseJson(await text) ?? null;

  it('is what it gave the service', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, async (definition) => {
        const execution = await ran(service, definition, { list: ['a', 5] });
        const { runTree } = execution.shown;
        const summaries = runTree.summaries();
        for (const { id: nodeId, expressions: places } of execution.text.byId.values())
          for (const { key } of summaries.get(nodeId)?.iterations ?? []) {
            const run = runTree.findRun(key) ?? assert.fail('The run is in the tree.');
            const { output, status, nodeType } = run.run;
            const isRecorded = places.length > (nodeType === 'forEach' ? 1 : 0);
            if (status?.state !== 'completed' || !isRecorded) continue;
            const what = JSON.stringify({ nodeId, iteration: run.run.iteration, definition });
            assert.deepEqual(await giveAgain(execution, places, run), output, what);
          }
      }),
      tries(20),
    );
  });

  it('and what the definition shows is the first turn that completed', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, async (definition) => {
        const { text, shown } = await ran(service, definition, { list: ['a', 5] });
        for (const { id: nodeId, expressions: places } of text.byId.values())
          for (const place of places) {
            const given = await findGiven(values, shown, place, signal);
            const { run, iterations } = shown.runOf(nodeId) ?? {};
            if (run?.status?.state === 'skipped' || run === undefined) assert.equal(given, undefined);
            else if (place.path[0] === 'expression')
              assert.deepEqual(parseJson(given?.text ?? ''), run.output);
            else if (place.path[0] === 'result' && isJsonArray(run.output))
              assert.deepEqual(
                given && parseJson(given.text),
                iterations === null ? undefined : run.output[0],
              );
          }
      }),
      tries(10),
    );
  });
});
