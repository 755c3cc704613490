// Starts an execution: checks its input against the workflow's schema.
import { isJsonObject } from '../../../base/json.ts';
import { joinFaults } from '../../../definition/faults.ts';
import { NodeError } from '../../errors.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

/** Output: the input. */
export const runTrigger: NodeBehaviour = async ({ config, scope, sandbox, signal, conclude }) => {
  const schema = config['inputSchema'];
  const check = await sandbox.checkInput(isJsonObject(schema) ? schema : null, scope.input, signal);
  if (check.faults.length > 0)
    throw new NodeError(
      'input_invalid',
      `The input doesn't match the trigger's schema: ${joinFaults(check)}`,
    );
  conclude('info', check.names === '' ? 'Received an empty input.' : `Received input: ${check.names}.`);
  return { text: scope.input.text, isMasked: true };
};
