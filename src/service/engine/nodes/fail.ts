// Why: lets the workflow's author end an execution as failed, with a reason.
import * as v from 'valibot';
import { renderMessage } from '../expression.ts';
import { NodeError } from '../nodeError.ts';
import { readConfig } from './nodeBehaviour.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const Config = v.object({ message: v.string() });

/** Always fails, with the rendered message. */
export const runFail: NodeBehaviour = async ({ config, data }) => {
  throw new NodeError('failed_by_workflow', await renderMessage(readConfig(Config, config).message, data));
};
