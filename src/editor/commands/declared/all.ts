// All commands, by their ids without the prefix. Don't rename one: tests and users' keybindings refer to it.
import { comparisonCommands } from './comparisons.ts';
import { connectionCommands } from './connections.ts';
import { definitionCommands } from './definitions.ts';
import { executionLogCommands } from './executionLog.ts';
import { executionCommands } from './executions.ts';
import { filesCommands } from './files.ts';
import { generalCommands } from './general.ts';
import { inputCommands } from './inputs.ts';
import { localServiceCommands } from './localService.ts';
import { nodeRunCommands } from './nodeRuns.ts';
import { portalEventCommands } from './portalEvents.ts';
import { searchingCommands } from './searching.ts';
import { testCommands } from './tests.ts';
import { workflowCommands } from './workflows.ts';

export const declaredCommands = {
  ...connectionCommands,
  ...localServiceCommands,
  ...workflowCommands,
  ...definitionCommands,
  ...inputCommands,
  ...executionCommands,
  ...searchingCommands,
  ...executionLogCommands,
  ...comparisonCommands,
  ...nodeRunCommands,
  ...portalEventCommands,
  ...testCommands,
  ...filesCommands,
  ...generalCommands,
};

export function isCommandName(name: string): name is keyof typeof declaredCommands {
  return Object.hasOwn(declaredCommands, name);
}
