// Why: where an execution begins: its input, checked against the workflow's own schema.
import { Validator } from '@cfworker/json-schema';
import { isJsonObject } from '../../../base/json.ts';
import { schemaFaults } from '../../definition/schemaFaults.ts';
import { NodeError } from '../nodeError.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

/** Output: the input. */
export const runTrigger: NodeBehaviour = async ({ config, input, say }) => {
  const schema = config['inputSchema'];
  if (isJsonObject(schema)) {
    const faults = schemaFaults(new Validator({ ...schema }, '2020-12', false).validate(input));
    if (faults.length > 0) {
      const told = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
      throw new NodeError('input_invalid', `The input does not fit: ${told.join(' ')}`);
    }
  }
  const names = Object.keys(input);
  await say('info', names.length === 0 ? 'Received an empty input.' : `Received ${names.join(', ')}.`);
  return input;
};
