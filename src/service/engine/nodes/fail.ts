import * as v from 'valibot';
import { NodeError } from '../../errors.ts';
import { type NodeBehaviour, readConfig } from './nodeBehaviour.ts';

const Config = v.object({ message: v.string() });

/** Always fails, with the rendered message. */
export const runFail: NodeBehaviour = async ({ config, scope, sandbox, signal }) => {
  const { message } = readConfig(Config, config);
  throw new NodeError('failed_by_workflow', await sandbox.renderText(message, scope, signal));
};
