// Why: computes a value from what is known so far.
import * as v from 'valibot';
import { describe } from '../describe.ts';
import { evaluate } from '../expression.ts';
import { readConfig } from './nodeBehaviour.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const Config = v.object({ expression: v.string() });

/** Output: what the expression gives. */
export const runTransform: NodeBehaviour = async ({ config, data, say }) => {
  const value = await evaluate(readConfig(Config, config).expression, data);
  await say('info', `Computed ${describe(value)}.`);
  return value;
};
