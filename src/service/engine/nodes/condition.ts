import * as v from 'valibot';
import { parseJson, stringifyJson } from '../../../base/json.ts';
import { NodeError } from '../../errors.ts';
import { type NodeBehaviour, readConfig } from './nodeBehaviour.ts';

const Config = v.object({ expression: v.string() });

/** Output: the branch, a boolean or a string; the execution follows the edges with this branch. */
export const runCondition: NodeBehaviour = async ({ config, scope, sandbox, signal, conclude }) => {
  const { expression } = readConfig(Config, config);
  const { text } = await sandbox.evaluate(expression, scope, signal);
  // JSONata returns nothing instead of false when a path doesn't exist.
  const branch = text.startsWith('[') || text.startsWith('{') ? null : (parseJson(text) ?? false);
  if (typeof branch !== 'boolean' && typeof branch !== 'string')
    throw new NodeError('branch_invalid', 'The condition must return true, false or the name of a branch.');
  conclude('info', `Took branch "${String(branch)}".`);
  return { text: stringifyJson(branch) };
};
