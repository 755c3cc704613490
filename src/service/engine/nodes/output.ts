import * as v from 'valibot';
import { type NodeBehaviour, readConfig } from './nodeBehaviour.ts';

const Config = v.object({ expression: v.string() });

/** Output: the expression's value, which becomes the execution's output. */
export const runOutput: NodeBehaviour = async ({ config, scope, sandbox, signal, conclude }) => {
  const { expression } = readConfig(Config, config);
  const { text, description } = await sandbox.evaluate(expression, scope, signal);
  conclude('info', `The output is ${description}.`);
  return { text };
};
