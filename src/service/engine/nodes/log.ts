// Why: lets the workflow's author say something in the node log.
import * as v from 'valibot';
import { logLevels } from '../../../protocol/records.ts';
import { renderMessage } from '../expression.ts';
import { readConfig } from './nodeBehaviour.ts';
import type { NodeBehaviour } from './nodeBehaviour.ts';

const Config = v.object({ level: v.optional(v.picklist(logLevels), 'info'), message: v.string() });

/** Output: the message. */
export const runLog: NodeBehaviour = async ({ config, data, say }) => {
  const { level, message } = readConfig(Config, config);
  const text = await renderMessage(message, data);
  await say(level, text);
  return text;
};
