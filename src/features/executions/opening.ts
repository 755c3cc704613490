// Why: the commands that open what can be read of an execution, each as a document of its own.
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import { connectionName } from '../../pickers/documentPath.ts';
import { executionArgument, shortId, workflowName } from '../../pickers/executionPicker.ts';
import { plainLine } from '../../platform/format.ts';
import { showDocument } from '../../platform/surfaces/documents.ts';
import { executionUri } from './executionUri.ts';
import type { ExecutionPart } from './executionUri.ts';
import { registerNodeRun } from './openNodeRun.ts';
import type { NodeRunParts } from './openNodeRun.ts';
import type { Outputs } from './outputs.ts';

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

async function titleOf(parts: OpeningParts, target: ExecutionTarget, part: OpenedPart): Promise<string> {
  const execution = parts.executions.find(target) ?? (await parts.executions.read(target));
  // What tells it from others stands behind the name, so a long name must leave room.
  const name = plainLine(workflowName(parts.workflows, target.connectionId, execution.workflowId), 50);
  return `${name} ${shortId(target.executionId)} ${partWord(part)}`;
}

/** The address of one part. That of an output tells what it is, so the output is read for it, and kept for its document. */
export async function documentUri(
  parts: OpeningParts,
  target: ExecutionTarget,
  part: OpenedPart,
): Promise<vscode.Uri> {
  const title = await titleOf(parts, target, part);
  const label = { connectionName: connectionName(parts.connections, target.connectionId), title };
  const ending = part === 'output' ? { ending: await parts.outputs.readAhead(target) } : {};
  return executionUri({ target, part, nodeRunKey: '' }, { ...label, ...ending });
}

function registerParts(parts: OpeningParts): Disposable {
  const owned = new DisposableStore();
  const openers = [
    ['execution.open', 'details'],
    ['execution.openInput', 'input'],
    ['execution.openOutput', 'output'],
    ['execution.openLog', 'log'],
    ['execution.openTimeline', 'timeline'],
  ] as const;
  for (const [command, part] of openers) {
    owned.add(
      parts.commands.register(command, {
        ...executionArgument(parts),
        run: async (target) => {
          const uri = await documentUri(parts, target, part);
          try {
            await showDocument(uri);
          } finally {
            parts.outputs.forget(target);
          }
          return uri.toString();
        },
      }),
    );
  }
  return owned;
}

export function registerOpening(parts: OpeningParts): Disposable {
  const owned = new DisposableStore();
  owned.add(registerParts(parts));
  owned.add(registerNodeRun(parts));
  return owned;
}
