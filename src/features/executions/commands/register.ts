// Reading executions: details, input, output and node runs as documents, two of them side by side.
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
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

interface ListQuery {
  readonly workflowId?: string | undefined;
  readonly status?: string | undefined;
}

function decodeListQuery({ workflowId, status }: Readonly<Record<string, unknown>>): ListQuery | undefined {
  const isText = (member: unknown): member is string | undefined =>
    member === undefined || typeof member === 'string';
  return isText(workflowId) && isText(status) ? { workflowId, status } : undefined;
}

/** Code gets the list; a person gets the newest to choose from, and what is chosen is opened. */
function registerList(deps: ExecutionCommandsDeps): Disposable {
  const { commands, connections, executions } = deps;
  return commands.register<ListQuery, unknown>('execution.list', {
    decode: decodeListQuery,
    expects: '{workflowId?, status?}',
    ask: () => Promise.resolve({}),
    run: async ({ workflowId, status }, { isInteractive }) => {
      if (isInteractive) return commands.run('execution.open', await pickExecution(deps));
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
  const owned = new DisposableStore();
  const opening = { ...deps, outputs: createOutputs(deps.executions) };
  owned.add(registerExecutionDocuments(opening));
  owned.add(registerOpening(opening));
  owned.add(registerCompare(opening));
  owned.add(registerList(deps));
  return owned;
}
