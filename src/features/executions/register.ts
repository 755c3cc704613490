// Why: reading executions: details, input, output and node runs as documents, two of them side by side.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clients } from '../../model/clients.ts';
import { requireActiveConnection, textMember } from '../../pickers/activeConnection.ts';
import { viewIds } from '../../platform/ids.ts';
import { registerCompare } from './comparing.ts';
import { registerExecutionDocuments } from './executionDocuments.ts';
import type { DocumentsParts } from './executionDocuments.ts';
import { registerOpening } from './opening.ts';
import type { OpeningParts } from './opening.ts';
import { createOutputs } from './outputs.ts';

export interface ExecutionsParts extends Omit<DocumentsParts & OpeningParts, 'outputs'> {
  readonly clients: Clients;
}

function registerList({ commands, connections, clients }: ExecutionsParts): Disposable {
  return commands.register('execution.list', {
    decode: (value) => ({ workflowId: textMember(value, 'workflowId'), status: textMember(value, 'status') }),
    expects: '{workflowId?, status?}',
    ask: () => Promise.resolve({ workflowId: undefined, status: undefined }),
    run: async ({ workflowId, status }, { isInteractive }) => {
      if (isInteractive) await vscode.commands.executeCommand(`${viewIds.executions}.focus`);
      const client = clients.get(requireActiveConnection(connections).id);
      const { items } = await client.executions.list({
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

export function registerExecutions(parts: ExecutionsParts): Disposable {
  const owned = new DisposableStore();
  const opening = { ...parts, outputs: createOutputs(parts.clients) };
  owned.add(registerExecutionDocuments(opening));
  owned.add(registerOpening(opening));
  owned.add(registerCompare(opening));
  owned.add(registerList(parts));
  return owned;
}
