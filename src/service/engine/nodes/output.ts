// Why: says what the execution answers.
import * as v from 'valibot';
import { describe } from '../describe.ts';
import { evaluate } from '../expression.ts';
import { readConfig } from './nodeBehaviour.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const Config = v.object({ expression: v.string() });

/** Output: what the expression gives; it becomes the execution's output. */
export const runOutput: NodeBehaviour = async ({ config, data, say }) => {
  const value = await evaluate(readConfig(Config, config).expression, data);
  await say('info', `The output is ${describe(value)}.`);
  return value;
};
