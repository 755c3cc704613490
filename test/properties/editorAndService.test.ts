// What the editor says of an input before it's sent is what the service says of it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { silentLogger } from '../../src/base/logger.ts';
import { type JsonObject, stringifyJson } from '../../src/base/json.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { JsonLanguages } from '../../src/features/inputs/jsonLanguages.ts';
import { boundSchema } from '../../src/model/inputs/boundedSchema.ts';
import { InputHistory } from '../../src/model/inputs/inputHistory.ts';
import { InputSchemas } from '../../src/model/inputs/inputSchemas.ts';
import { Evaluator } from '../../src/service/sandbox/evaluator.ts';
import { call, chain, createDeployed, follow, textAt } from '../service/calls.ts';
import { createWorld } from '../support/memory/world.ts';
import { tries } from '../support/properties.ts';
import { randomInput, randomSchema } from '../support/randomSchemas.ts';
import { createTestService, type TestService } from '../support/service.ts';

const program = new URL('../../src/service/sandbox/worker.ts', import.meta.url);

describe('the editor and the service', () => {
  let service: TestService;
  let evaluator: Evaluator;
  let languages: JsonLanguages;

  before(async () => {
    service = await createTestService({ requestsPerMinute: 1_000_000 });
    evaluator = new Evaluator({ program, clock });
    const { globalState, clock: handClock, workflows } = createWorld();
    const history = new InputHistory(globalState, handClock, () => 'svc_sk_');
    const schemas = new InputSchemas({ workflows, history, logger: silentLogger });
    languages = new JsonLanguages(schemas, evaluator, silentLogger);
  });
  after(async () => {
    evaluator.dispose();
    await service.dispose();
  });

  /** Undefined where the editor says that it doesn't know. */
  const saysEditor = async (declared: JsonObject, input: string): Promise<boolean | undefined> => {
    const schema = boundSchema(declared);
    const known = { schema, isTooLarge: schema !== declared, learnedFrom: null, checksPerValue: 1 };
    const found = await languages.validate(known, input.length, (validator) => validator.findProblems(input));
    return found.kind === 'validated' ? found.problems.length === 0 : undefined;
  };
  /** The service takes it, and fails the execution where the input doesn't match. */
  const saysService = async (workflowId: string, input: string): Promise<boolean> => {
    const path = `/v1/workflows/${workflowId}/execute`;
    const { body } = await call(service, 'POST', path, `{"input":${input}}`);
    const executionId = textAt(body, 'executionIds', 0);
    await follow(service, executionId);
    const { body: result } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    return result['status'] === 'completed';
  };
  const deploy = (inputSchema: JsonObject) =>
    createDeployed(
      service,
      chain(['start', 'trigger', { inputSchema }], ['end', 'output', { expression: '1' }]),
    );

  for (const version of ['2020-12', '2019-09', '7', '4'] as const)
    it(`agree on each input, by schemas of JSON Schema ${version}`, async () => {
      const inputs = fc.array(randomInput, { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(randomSchema(version), inputs, async (schema, all) => {
          const workflowId = await deploy(schema);
          for (const input of all) {
            const text = stringifyJson(input);
            assert.equal(await saysEditor(schema, text), await saysService(workflowId, text), text);
          }
        }),
        tries(25),
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
      const workflowId = await deploy(numbers);
      assert.equal(await saysEditor(numbers, text), await saysService(workflowId, text));
    });

  const unknown: readonly (readonly [title: string, schema: JsonObject, input: string])[] = [
    ['a pattern never ends', { properties: { a: { pattern: '^(a+)+$' } } }, `{"a":"${'a'.repeat(40)}!"}`],
    ['a number is beyond all of JavaScript', numbers, '{"n":1e400}'],
  ];
  for (const [title, schema, input] of unknown)
    it(`are both unable to tell, and the editor says so, where ${title}`, async () => {
      assert.equal(await saysEditor(schema, input), undefined);
      assert.equal(await saysService(await deploy(schema), input), false);
    });

  it('differ only where the editor says that a schema is too large for it', async () => {
    const large = {
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`m${at}`, {}])),
    };
    assert.equal(await saysEditor(large, '{}'), undefined);
  });
});
