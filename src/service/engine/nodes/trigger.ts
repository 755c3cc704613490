// Why: where an execution begins: its input, checked against the workflow's own schema.
import { Validator } from '@cfworker/json-schema';
import { isJsonObject } from '../../../base/json.ts';
import { schemaFaults } from '../../definition/schemaFaults.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Fault } from '../../definition/checkDefinition.ts';
import { NodeError } from '../nodeError.ts';
import { createBoundedRunner } from '../boundedRunner.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const checkTimeoutMs = 1000;

/** Output: the input. */
export const runTrigger: NodeBehaviour = async ({ config, input, say }) => {
  const schema = config['inputSchema'];
  if (isJsonObject(schema)) {
    const faults = checkInput(schema, input);
    if (faults.length > 0) {
      const told = faults.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
      throw new NodeError('input_invalid', `The input does not fit: ${told.join(' ')}`);
    }
  }
  const names = Object.keys(input);
  await say('info', names.length === 0 ? 'Received an empty input.' : `Received ${names.join(', ')}.`);
  return input;
};

/** The schema is the author's and the input a stranger's: together they may hold a search that never ends. */
function checkInput(schema: JsonObject, input: JsonObject): readonly Fault[] {
  try {
    const validator = new Validator({ ...schema }, '2020-12', false);
    return schemaFaults(createBoundedRunner(checkTimeoutMs)(() => validator.validate(input)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NodeError('input_schema_failed', `The input could not be checked: ${reason}`);
  }
}
