import * as v from 'valibot';
import { stringifyJson } from '../../../base/json.ts';
import { type NodeBehaviour, readConfig } from './nodeBehaviour.ts';
import { logLevels } from '../../../domain/nodeLog.ts';

const Config = v.object({ level: v.optional(v.picklist(logLevels), 'info'), message: v.string() });

/** Output: the message. */
export const runLog: NodeBehaviour = async ({ config, scope, sandbox, signal, conclude }) => {
  const { level, message } = readConfig(Config, config);
  const text = await sandbox.renderText(message, scope, signal);
  conclude(level, text);
  return { text: stringifyJson(text) };
};
