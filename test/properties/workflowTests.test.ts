// The test that is made from an execution passes; with any one value of its output changed, it fails at that field.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/base/json.ts';
import { DefinitionText } from '../../src/definition/definitionText.ts';
import { type FieldPath, formatField } from '../../src/base/fieldPath.ts';
import { withValue } from '../../src/workflowTests/compareTest.ts';
import { renderTests, updateExpected } from '../../src/workflowTests/editTests.ts';
import { createTest } from '../../src/workflowTests/fromExecution.ts';
import { TestFile } from '../../src/workflowTests/testFile.ts';
import { definitionOf, steps } from '../service/engine/randomDefinitions.ts';
import { tries } from '../support/properties.ts';
import { createServiceModel, type ServiceModel } from '../support/serviceModel.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type EndedTest, runAll } from '../support/testRuns.ts';

const { signal } = new AbortController();
/** Nothing listens there, so a request that is sent after all fails. */
const origin = 'http://127.0.0.1:9';

type Answer = { readonly status: number; readonly body: JsonValue } | { readonly error: 'timeout' };
const answers = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ status: fc.constant(200), body: fc.jsonValue({ maxDepth: 2 }).map(plain) }),
    },
    { weight: 1, arbitrary: fc.constant<Answer>({ error: 'timeout' }) },
    { weight: 1, arbitrary: fc.constant<Answer>({ status: 500, body: null }) },
  ),
  { minLength: 1, maxLength: 3 },
);

/** No -0, which is written as 0. */
function plain(value: unknown): JsonValue {
  return parseJson(stringifyJson(value)) ?? null;
}

/** The paths of all values without parts. */
function leavesOf(value: JsonValue, path: FieldPath = []): readonly FieldPath[] {
  const parts = isJsonArray(value)
    ? value.flatMap((item, at) => leavesOf(item, [...path, at]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]))
      : [];
  return parts.length === 0 ? [path] : parts;
}

describe('a test that is made from an execution', () => {
  let service: TestService;
  let model: ServiceModel;

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
    model = await createServiceModel(service);
  });
  afterEach(async () => {
    model.dispose();
    await service.dispose();
  });

  async function createdFrom({ execution, planned }: EndedTest): Promise<JsonObject> {
    assert.ok(execution && planned);
    const { executions } = model;
    const runs = await Promise.all(
      executions.logs(execution).nodeRuns.map((run) => executions.readWholeValues(execution, run)),
    );
    return createTest(
      {
        execution: await executions.read(execution),
        input: (await executions.readInput(execution)).input,
        output: await executions.output(execution, signal),
        nodeRuns: runs,
        definition: planned.workflow.text,
      },
      { name: 'made', ignored: ['**.createdAt'], takesAnswers: true },
    );
  }

  it('passes, and fails where one value of its output is another', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(steps, answers, fc.nat(), async (all, given, which) => {
        count += 1;
        const name = `Any ${count}`;
        const definition: JsonObject = { ...definitionOf(all, origin), name };
        await model.actions.import(model.connectionId, definition);
        const callers = DefinitionText.of(definition).nodes.filter(({ type }) => type === 'httpRequest');
        const [first] = await runAll(model, name, [
          {
            name: 'first',
            answers: Object.fromEntries(callers.map(({ id }) => [id, given])),
            expected: { status: 'cancelled' },
          },
        ]);
        assert.ok(first?.execution, first?.message);
        const test = await createdFrom(first);
        const [made] = await runAll(model, name, [test]);
        assert.equal(made?.outcome, 'passed', made?.message);

        const { expected } = test;
        const output = isJsonObject(expected) ? expected['output'] : undefined;
        if (output === undefined) return;
        const leaves = leavesOf(output);
        const leaf = leaves[which % leaves.length] ?? [];
        const changed = withValue(test, ['expected', 'output', ...leaf], 'a text that nothing gave');
        const [failed] = await runAll(model, name, [changed]);
        assert.ok(isJsonObject(changed) && failed);
        assert.deepEqual(
          failed.differences?.map(({ path }) => formatField(path)),
          [formatField(['output', ...leaf])],
        );

        const text = updateExpected(renderTests(name, [changed]), 0, failed.differences ?? []);
        assert.equal(
          stringifyJson(new TestFile(text).tests[0]?.spec?.expected.output),
          stringifyJson(output),
        );
      }),
      tries(12),
    );
  });
});
