// Schemas as they're found in the world: the editor refuses no input that the service takes, and takes none that the service refuses.
import assert from 'node:assert/strict';
import { stringifyJson } from '../../src/base/json.ts';
import { systemClock as clock } from '../../src/base/time.ts';
import { Evaluator } from '../../src/service/sandbox/evaluator.ts';
import { call, chain, textAt } from '../service/calls.ts';
import {
  createEditorVerdict,
  deploySchema,
  type EditorVerdict,
  saysDeployed,
} from '../support/inputVerdicts.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { realSchemas } from './realSchemas.ts';
import { unusableSchemas } from './unusableSchemas.ts';
import { workerProgram } from '../support/sandbox.ts';

describe('an input by a schema with', () => {
  let service: TestService;
  let evaluator: Evaluator;
  let saysEditor: EditorVerdict;

  before(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
    evaluator = new Evaluator({
      program: workerProgram,
      clock,
    });
    saysEditor = createEditorVerdict(evaluator);
  });
  after(async () => {
    evaluator.dispose();
    await service.dispose();
  });

  for (const { title, schema, valid, invalid } of realSchemas)
    it(title, async () => {
      const workflowId = await deploySchema(service, schema);
      const inputs = [
        ...valid.map((each) => [each, true] as const),
        ...invalid.map((each) => [each, false] as const),
      ];
      for (const [input, isValid] of inputs) {
        const text = stringifyJson(input);
        assert.equal(await saysDeployed(service, workflowId, text), isValid, `the service: ${text}`);
        assert.equal(await saysEditor(schema, text), isValid, `the editor: ${text}`);
      }
    });

  for (const { title, schema, place, input } of unusableSchemas)
    it(`${title}, which is refused when it's deployed, isn't validated`, async () => {
      const definition = chain(
        ['start', 'trigger', { inputSchema: schema }],
        ['end', 'output', { expression: '1' }],
      );
      const { body: created } = await call(service, 'POST', '/v1/workflows', {
        name: 'Unusable',
        ...definition,
      });
      const answer = await call(service, 'POST', `/v1/workflows/${textAt(created, 'id')}/deploy`, {});
      assert.equal(answer.status, 422);
      assert.ok(
        textAt(answer.body, 'error', 'details', 0, 'path').endsWith(`inputSchema.${place}`),
        answer.text,
      );
      assert.equal(await saysEditor(schema, stringifyJson(input)), undefined);
    });
});
