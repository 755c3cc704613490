// Why: reading executions: details, input, output and node runs as documents, two of them side by side.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import type { Workflows } from '../../model/workflows/workflows.ts';
import { requireActiveConnection, textMember } from '../../pickers/activeConnection.ts';
import {
  decodeExecutionTarget,
  executionArgument,
  pickExecution,
  shortId,
  workflowName,
} from '../../pickers/executionPicker.ts';
import type { Commands } from '../../platform/commands.ts';
import { PlainError } from '../../platform/describeError.ts';
import { viewIds } from '../../platform/ids.ts';
import { registerExecutionDocuments } from './executionDocuments.ts';
import type { DocumentsParts } from './executionDocuments.ts';
import { executionUri } from './executionUri.ts';
import type { ExecutionPart } from './executionUri.ts';

export interface ExecutionsParts extends DocumentsParts {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly workflows: Workflows;
}

function partWord(part: ExecutionPart): string {
  switch (part) {
    case 'details':
      return vscode.l10n.t('details');
    case 'input':
      return vscode.l10n.t('input');
    case 'output':
      return vscode.l10n.t('output');
    case 'node':
      return vscode.l10n.t('node');
  }
}

async function documentUri(
  parts: ExecutionsParts,
  target: ExecutionTarget,
  part: ExecutionPart,
): Promise<vscode.Uri> {
  const execution = parts.executions.find(target) ?? (await parts.executions.read(target));
  const name = workflowName(parts.workflows, target.connectionId, execution.workflowId);
  return executionUri(
    { target, part, nodeRunKey: '' },
    `${name} ${shortId(target.executionId)} ${partWord(part)}`,
  );
}

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

function registerOpening(parts: ExecutionsParts): Disposable {
  const owned = new DisposableStore();
  const openers = [
    ['execution.open', 'details'],
    ['execution.openInput', 'input'],
    ['execution.openOutput', 'output'],
  ] as const;
  for (const [command, part] of openers) {
    owned.add(
      parts.commands.register(command, {
        ...executionArgument(parts),
        run: async (target) => {
          const uri = await documentUri(parts, target, part);
          await show(uri);
          return uri.toString();
        },
      }),
    );
  }
  owned.add(
    parts.commands.register('nodeRun.open', {
      decode: (value) => {
        const target = decodeExecutionTarget(value, parts.connections);
        const nodeRunKey = textMember(value, 'nodeRunKey');
        return target === undefined || nodeRunKey === undefined ? undefined : { target, nodeRunKey };
      },
      expects: '{executionId, nodeRunKey}',
      ask: async () => ({ target: await pickExecution(parts), nodeRunKey: '' }),
      run: async ({ target, nodeRunKey }) => {
        const runs = parts.executions.logs(target).nodeRuns.current;
        const run = runs.find(({ key }) => key === nodeRunKey);
        const turn = run?.iteration.map((index) => ` ${index + 1}`).join('') ?? '';
        const uri = executionUri(
          { target, part: 'node', nodeRunKey },
          `${run?.nodeName ?? partWord('node')}${turn} ${shortId(target.executionId)}`,
        );
        await show(uri);
        return uri.toString();
      },
    }),
  );
  return owned;
}

function registerCompare(parts: ExecutionsParts): Disposable {
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
      await vscode.commands.executeCommand('vscode.diff', left, right, title);
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
  owned.add(registerExecutionDocuments(parts));
  owned.add(registerOpening(parts));
  owned.add(registerCompare(parts));
  owned.add(registerList(parts));
  return owned;
}
