// What the editor says of an input before it's sent is what the service says of it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonObject, stringifyJson } from '../../src/base/json.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { Evaluator } from '../../src/service/sandbox/evaluator.ts';
import {
  createEditorVerdict,
  deploySchema,
  type EditorVerdict,
  saysDeployed,
} from '../support/inputVerdicts.ts';
import { tries } from '../support/properties.ts';
import { randomInput, randomSchema } from '../support/randomSchemas.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { workerProgram } from '../support/sandbox.ts';

describe('the editor and the service', () => {
  let service: TestService;
  let evaluator: Evaluator;
  let saysEditor: EditorVerdict;

  before(async () => {
    service = await createTestService({ requestsPerMinute: 1_000_000 });
    evaluator = new Evaluator({ program: workerProgram, clock });
    saysEditor = createEditorVerdict(evaluator);
  });
  after(async () => {
    evaluator.dispose();
    await service.dispose();
  });

  for (const version of ['2020-12', '2019-09', '7', '4'] as const)
    it(`agree on each input, by schemas of JSON Schema ${version}`, async () => {
      const inputs = fc.array(randomInput, { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(randomSchema(version), inputs, async (schema, all) => {
          const workflowId = await deploySchema(service, schema);
          for (const input of all) {
            const text = stringifyJson(input);
            assert.equal(await saysEditor(schema, text), await saysDeployed(service, workflowId, text), text);
          }
        }),
        tries(10),
      );
    });

  const numbers = { properties: { n: { multipleOf: 0.1, maximum: 2 ** 53 } } };
  for (const text of [
    '{"n":0.3}',
    '{"n":9007199254740993}',
    '{"n":9007199254740995}',
    '{"n":0.30000000000000004}',
  ])
    it(`agree on numbers that JavaScript can't hold: ${text}`, async () => {
      const workflowId = await deploySchema(service, numbers);
      assert.equal(await saysEditor(numbers, text), await saysDeployed(service, workflowId, text));
    });

  const unknown: readonly (readonly [title: string, schema: JsonObject, input: string])[] = [
    ['a pattern never ends', { properties: { a: { pattern: '^(a+)+$' } } }, `{"a":"${'a'.repeat(40)}!"}`],
    ['a number is beyond all of JavaScript', numbers, '{"n":1e400}'],
  ];
  for (const [title, schema, input] of unknown)
    it(`are both unable to tell, and the editor says so, where ${title}`, async () => {
      assert.equal(await saysEditor(schema, input), undefined);
      assert.equal(await saysDeployed(service, await deploySchema(service, schema), input), false);
    });

  it('differ only where the editor says that a schema is too large for it', async () => {
    const large = {
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`m${at}`, {}])),
    };
    assert.equal(await saysEditor(large, '{}'), undefined);
  });
});
