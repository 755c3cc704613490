// The commands that open executions as documents and compare two of them.
import { combine, type Disposable } from '../../../base/disposable.ts';
import { requireActiveConnection } from '../../../ui/activeConnection.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { registerCompare } from './comparing.ts';
import { registerExecutionDocuments } from '../documents/executionDocuments.ts';
import { registerOpening } from './opening.ts';
import { createOutputs } from '../documents/outputs.ts';
import type { App } from '../../../ui/app.ts';

export type ExecutionCommandsDeps = Pick<
  App,
  | 'executions'
  | 'workflows'
  | 'connections'
  | 'logger'
  | 'clock'
  | 'executionDocuments'
  | 'following'
  | 'commands'
>;

/** Code gets the list. The user chooses one of the newest executions, which is then opened. */
function registerList(deps: ExecutionCommandsDeps): Disposable {
  const { commands, connections, executions } = deps;
  return commands.register('execution.list', {
    ask: () => Promise.resolve({}),
    run: async ({ workflowId, status }, { isInteractive }) => {
      if (isInteractive) {
        await commands.run('execution.open', await pickExecution(deps));
        return undefined;
      }
      const { items } = await executions.search(requireActiveConnection(connections).id, {
        limit: 100,
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(status === undefined ? {} : { status }),
      });
      return items.map((execution) => ({
        id: execution.id,
        workflowId: execution.workflowId,
        status: execution.status.state === 'unknown' ? execution.status.word : execution.status.state,
      }));
    },
  });
}

export function registerExecutionCommands(deps: ExecutionCommandsDeps): Disposable {
  const opening = { ...deps, outputs: createOutputs(deps.executions) };
  return combine(
    registerExecutionDocuments(opening),
    registerOpening(opening),
    registerCompare(opening),
    registerList(deps),
  );
}
