// Chooses which way an execution goes on.
import * as v from 'valibot';
import { parseJson } from '../../../base/json.ts';
import { NodeError } from '../nodeError.ts';
import { type NodeBehaviour, readConfig } from './nodeBehaviour.ts';

const Config = v.object({ expression: v.string() });

/** Output: the branch, a boolean or a text; edges with the same branch are taken. */
export const runCondition: NodeBehaviour = async ({ config, scope, sandbox, signal, say }) => {
  const { expression } = readConfig(Config, config);
  const { text } = await sandbox.evaluate(expression, scope, signal);
  // JSONata gives nothing, not false, when a path of the expression does not exist.
  const branch = text.startsWith('[') || text.startsWith('{') ? null : (parseJson(text) ?? false);
  if (typeof branch !== 'boolean' && typeof branch !== 'string')
    throw new NodeError('branch_invalid', 'The condition must give true, false or the name of a branch.');
  await say('info', `Goes on with "${String(branch)}".`);
  return JSON.stringify(branch);
};
