// What is said of an input by a schema: by the service that carries it out, and by the editor to a person before it's sent.
import { silentLogger } from '../../src/base/logger.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { InputChecker } from '../../src/definition/inputSchema.ts';
import { JsonLanguages } from '../../src/features/inputs/jsonLanguages.ts';
import { boundSchema } from '../../src/model/inputs/boundedSchema.ts';
import { schemaOfTriggers } from '../../src/definition/triggerInputs.ts';
import { InputHistory } from '../../src/model/inputs/inputHistory.ts';
import { type InputSchema, InputSchemas } from '../../src/model/inputs/inputSchemas.ts';
import { call, chain, createDeployed, follow, textAt } from '../service/calls.ts';
import { createWorld } from './memory/world.ts';
import type { TestService } from './service.ts';

/** True for a valid input; undefined where it isn't validated. `input`: JSON. */
export type EditorVerdict = (schema: JsonObject, input: string) => Promise<boolean | undefined>;

export function createEditorVerdict(checker: InputChecker): EditorVerdict {
  const { globalState, clock, workflows } = createWorld();
  const history = new InputHistory(globalState, clock, () => 'svc_sk_');
  const schemas = new InputSchemas({ workflows, history, logger: silentLogger, schemaOfTriggers });
  const languages = new JsonLanguages(schemas, checker, silentLogger);
  return async (declared, input) => {
    const schema = boundSchema(declared);
    const isTooLarge = schema !== declared;
    const known: InputSchema = { schema, isTooLarge, learnedFrom: null, checksPerValue: 1 };
    const found = await languages.validate(known, input.length, (validator) => validator.findProblems(input));
    return found.kind === 'validated' ? found.problems.length === 0 : undefined;
  };
}

/** The trigger has the schema. Returns the workflow's id. */
export function deploySchema(service: TestService, inputSchema: JsonObject): Promise<string> {
  const nodes = chain(['start', 'trigger', { inputSchema }], ['end', 'output', { expression: '1' }]);
  return createDeployed(service, nodes);
}

/** Executes; the execution fails where the input doesn't match. `input`: JSON. */
export async function saysDeployed(
  service: TestService,
  workflowId: string,
  input: string,
): Promise<boolean> {
  const path = `/v1/workflows/${workflowId}/execute`;
  const { body } = await call(service, 'POST', path, `{"input":${input}}`);
  const executionId = textAt(body, 'executionIds', 0);
  await follow(service, executionId);
  const { body: result } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
  return result['status'] === 'completed';
}
