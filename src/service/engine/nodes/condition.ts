// Why: chooses which way an execution goes on.
import * as v from 'valibot';
import { evaluate } from '../expression.ts';
import { NodeError } from '../nodeError.ts';
import { readConfig } from './nodeBehaviour.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const Config = v.object({ expression: v.string() });

/** Output: the branch, a boolean or a text; edges with the same branch are taken. */
export const runCondition: NodeBehaviour = async ({ config, data, say }) => {
  const value = await evaluate(readConfig(Config, config).expression, data);
  // JSONata gives nothing, not false, when a path of the expression does not exist.
  const branch = value ?? false;
  if (typeof branch !== 'boolean' && typeof branch !== 'string')
    throw new NodeError('branch_invalid', 'The condition must give true, false or the name of a branch.');
  await say('info', `Goes on with "${String(branch)}".`);
  return branch;
};
