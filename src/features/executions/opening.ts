// The commands that open what can be read of an execution, each as a document of its own.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { connectionName } from '../../pickers/documentPath.ts';
import { executionArgument, shortId, workflowName } from '../../pickers/executionPicker.ts';
import { plainLine } from '../../platform/format.ts';
import { showDocument } from '../../platform/surfaces/documents.ts';
import { type ExecutionPart, executionUri, withEnding } from './executionUri.ts';
import { type NodeRunParts, registerNodeRun } from './openNodeRun.ts';
import { outputEnding, type Outputs } from './outputs.ts';
import type { Output } from '../../domain/execution.ts';

export interface OpeningParts extends NodeRunParts {
  readonly outputs: Outputs;
}

type OpenedPart = Exclude<ExecutionPart, 'node'>;

function partWord(part: OpenedPart): string {
  switch (part) {
    case 'details':
      return vscode.l10n.t('details');
    case 'input':
      return vscode.l10n.t('input');
    case 'output':
      return vscode.l10n.t('output');
    case 'log':
      // Its ending says so already.
      return '';
    case 'timeline':
      return vscode.l10n.t('timeline');
  }
}

/** What a person calls an execution. */
export interface ExecutionTitle {
  /** The name of its workflow. */
  readonly name: string;
  readonly id: string;
}

export async function titleOf(parts: OpeningParts, target: ExecutionTarget): Promise<ExecutionTitle> {
  const execution = parts.executions.find(target) ?? (await parts.executions.read(target));
  const name = workflowName(parts.workflows, target.connectionId, execution.workflowId);
  // What tells it from others stands behind the name, so a long name must leave room.
  return { name: plainLine(name, 50), id: shortId(target.executionId) };
}

async function documentUri(
  parts: OpeningParts,
  target: ExecutionTarget,
  part: OpenedPart,
): Promise<vscode.Uri> {
  const { name, id } = await titleOf(parts, target);
  return executionUri(
    { target, part, nodeRunKey: '', isCompact: false },
    {
      connectionName: connectionName(parts.connections, target.connectionId),
      title: `${name} ${id} ${partWord(part)}`,
    },
  );
}

/** The address of an output, which tells what it is: so the output is read for it, and kept for its document. */
export async function outputUri(
  parts: OpeningParts,
  target: ExecutionTarget,
): Promise<{ readonly uri: vscode.Uri; readonly reading: Output }> {
  const uri = await documentUri(parts, target, 'output');
  const reading = await parts.outputs.readAhead(target);
  return { uri: withEnding(uri, outputEnding(reading)), reading };
}

function registerParts(parts: OpeningParts): Disposable {
  const owned = new DisposableStore();
  const openers = [
    ['execution.open', 'details'],
    ['execution.openInput', 'input'],
    ['execution.openLog', 'log'],
    ['execution.openTimeline', 'timeline'],
  ] as const;
  for (const [command, part] of openers) {
    owned.add(
      parts.commands.register(command, {
        ...executionArgument(parts),
        run: async (target) => {
          const uri = await documentUri(parts, target, part);
          await showDocument(parts.executionDocuments, uri);
          return uri.toString();
        },
      }),
    );
  }
  return owned;
}

function registerOutput(parts: OpeningParts): Disposable {
  return parts.commands.register('execution.openOutput', {
    ...executionArgument(parts),
    run: async (target) => {
      const { uri } = await outputUri(parts, target);
      try {
        await showDocument(parts.executionDocuments, uri);
      } finally {
        parts.outputs.forget(target);
      }
      return uri.toString();
    },
  });
}

export function registerOpening(parts: OpeningParts): Disposable {
  const owned = new DisposableStore();
  owned.add(registerParts(parts));
  owned.add(registerOutput(parts));
  owned.add(registerNodeRun(parts));
  return owned;
}
