// Why: reading executions: details, input, output and node runs as documents, two of them side by side.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clients } from '../../model/clients.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import { requireActiveConnection, textMember } from '../../pickers/activeConnection.ts';
import { decodeExecutionTarget, pickExecution, shortId } from '../../pickers/executionPicker.ts';
import { PlainError } from '../../platform/describeError.ts';
import { viewIds } from '../../platform/ids.ts';
import { registerExecutionDocuments } from './executionDocuments.ts';
import type { DocumentsParts } from './executionDocuments.ts';
import { documentUri, registerOpening } from './opening.ts';
import type { OpeningParts } from './opening.ts';
import { createOutputs } from './outputs.ts';

export interface ExecutionsParts extends Omit<DocumentsParts & OpeningParts, 'outputs'> {
  readonly clients: Clients;
}

function registerCompare(parts: OpeningParts): Disposable {
  return parts.commands.register('execution.compare', {
    decode: (value) => {
      const target = decodeExecutionTarget(value, parts.connections);
      return target && { target, otherExecutionId: textMember(value, 'otherExecutionId') };
    },
    expects: '{executionId, otherExecutionId}',
    ask: async () => ({ target: await pickExecution(parts), otherExecutionId: undefined }),
    run: async ({ target, otherExecutionId }, { isInteractive, selected }) => {
      if (!isInteractive && otherExecutionId === undefined)
        throw new TypeError('otherExecutionId is missing.');
      const others = selected.filter((each) => each.target.executionId !== target.executionId);
      if (others.length > 1) throw new PlainError(vscode.l10n.t('Select two executions to compare them.'));
      const other: ExecutionTarget =
        otherExecutionId === undefined
          ? (others[0]?.target ??
            (await pickExecution(parts, vscode.l10n.t('Compare with which execution?'))))
          : { connectionId: target.connectionId, executionId: otherExecutionId };
      const left = await documentUri(parts, target, 'output');
      const right = await documentUri(parts, other, 'output');
      const title = `${shortId(target.executionId)} ↔ ${shortId(other.executionId)}`;
      try {
        await vscode.commands.executeCommand('vscode.diff', left, right, title);
      } finally {
        for (const each of [target, other]) parts.outputs.forget(each);
      }
      return [left.toString(), right.toString()];
    },
  });
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
