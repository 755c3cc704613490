// The commands that open the parts of an execution as documents.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { plainLine } from '../../../editor/format.ts';
import { showDocument } from '../../../editor/documents.ts';
import { registerNodeRun } from './openNodeRun.ts';
import { outputEnding, type Outputs } from '../documents/outputs.ts';
import type { Output } from '../../../domain/execution.ts';
import type { App } from '../../../ui/app.ts';
import { connectionName, shortId, workflowName } from '../../../ui/words/names.ts';
import { type ExecutionPart, executionUri, withEnding } from '../../../ui/addresses.ts';

export interface OpeningDeps extends Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'workflows' | 'clock'
> {
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
      // The file extension already says it.
      return '';
    case 'timeline':
      return vscode.l10n.t('timeline');
  }
}

export interface ExecutionTitle {
  /** The name of the workflow. */
  readonly name: string;
  readonly id: string;
}

export async function titleOf(deps: OpeningDeps, target: ExecutionTarget): Promise<ExecutionTitle> {
  const execution = deps.executions.find(target) ?? (await deps.executions.read(target));
  const name = workflowName(deps.workflows, target.connectionId, execution.workflowId);
  // The id follows the name, so a long name must leave room for it.
  return { name: plainLine(name, 50), id: shortId(target.executionId) };
}

async function documentUri(
  deps: OpeningDeps,
  target: ExecutionTarget,
  part: OpenedPart,
): Promise<vscode.Uri> {
  const { name, id } = await titleOf(deps, target);
  return executionUri(
    { target, part, nodeRunKey: '', isCompact: false },
    {
      connectionName: connectionName(deps.connections, target.connectionId),
      title: `${name} ${id} ${partWord(part)}`,
    },
  );
}

/** The URI of an output. Its file extension depends on the output's type, so the output is read first and kept for the document. */
export async function outputUri(
  deps: OpeningDeps,
  target: ExecutionTarget,
): Promise<{ readonly uri: vscode.Uri; readonly reading: Output }> {
  const uri = await documentUri(deps, target, 'output');
  const reading = await deps.outputs.readAhead(target);
  return { uri: withEnding(uri, outputEnding(reading)), reading };
}

function registerPart(
  deps: OpeningDeps,
  command: 'execution.open' | 'execution.openInput' | 'execution.openLog' | 'execution.openTimeline',
  part: OpenedPart,
): Disposable {
  return deps.commands.register(command, {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const uri = await documentUri(deps, target, part);
      await showDocument(deps.executionDocuments, uri);
      return uri.toString();
    },
  });
}

function registerOutput(deps: OpeningDeps): Disposable {
  return deps.commands.register('execution.openOutput', {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const { uri } = await outputUri(deps, target);
      try {
        await showDocument(deps.executionDocuments, uri);
      } finally {
        deps.outputs.forget(target);
      }
      return uri.toString();
    },
  });
}

export function registerOpening(deps: OpeningDeps): Disposable {
  return combine(
    registerPart(deps, 'execution.open', 'details'),
    registerPart(deps, 'execution.openInput', 'input'),
    registerPart(deps, 'execution.openLog', 'log'),
    registerPart(deps, 'execution.openTimeline', 'timeline'),
    registerOutput(deps),
    registerNodeRun(deps),
  );
}
