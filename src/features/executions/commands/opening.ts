// The commands that open the parts of an execution as documents.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { showDocument } from '../../../editor/documents.ts';
import { plainLine } from '../../../editor/format.ts';
import { type ExecutionPart, executionUri, withEnding } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';
import { connectionName, shortId, workflowName } from '../../../ui/words/names.ts';
import { outputEnding, type OutputReading, type Outputs } from '../documents/outputs.ts';

export type OpeningDeps = Pick<
  App,
  'commands' | 'executions' | 'executionDocuments' | 'connections' | 'workflows' | 'clock'
>;

type OpenedPart = Exclude<ExecutionPart, 'node' | 'comparison' | 'differences'>;

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
      return vscode.l10n.t('execution');
  }
}

/** `name`: that of the workflow. */
export interface ExecutionTitle {
  readonly name: string;
  readonly id: string;
}

/** The title is only nice to know, so it costs no request. */
export function titleOf(
  { executions, workflows }: Pick<App, 'executions' | 'workflows'>,
  target: ExecutionTarget,
): ExecutionTitle {
  const workflowId = executions.find(target)?.workflowId ?? null;
  const name = workflowName(workflows, target.connectionId, workflowId);
  // The id follows the name, so a long name must leave room for it.
  return { name: plainLine(name, 50), id: shortId(target.executionId) };
}

export function documentUri(deps: OpeningDeps, target: ExecutionTarget, part: OpenedPart): vscode.Uri {
  const { name, id } = titleOf(deps, target);
  return executionUri(
    { target, part, nodeRunKey: '', isCompact: false },
    {
      connectionName: connectionName(deps.connections, target.connectionId),
      title: `${name} ${id} ${partWord(part)}`,
    },
  );
}

function registerPart(
  deps: OpeningDeps,
  command: 'execution.open' | 'execution.openInput' | 'execution.openTimeline',
  part: OpenedPart,
): Disposable {
  return deps.commands.register(command, {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const uri = documentUri(deps, target, part);
      await showDocument(deps.executionDocuments, uri);
      return uri.toString();
    },
  });
}

/** Reads the output and returns it with the URI of its document, whose file extension depends on the output's type. */
async function readOutput(
  deps: OpeningDeps,
  target: ExecutionTarget,
): Promise<OutputReading & { readonly uri: vscode.Uri }> {
  const output = await deps.executions.output(target);
  const uri = documentUri(deps, target, 'output');
  return { target, output, uri: withEnding(uri, outputEnding(output)) };
}

function registerOutput(deps: OpeningDeps, outputs: Outputs): Disposable {
  return deps.commands.register('execution.openOutput', {
    ask: () => pickExecution(deps),
    run: async (target) => {
      const reading = await readOutput(deps, target);
      await outputs.lend([reading], () => showDocument(deps.executionDocuments, reading.uri));
      return reading.uri.toString();
    },
  });
}

/** `outputs`: takes those that are read before their documents are opened. */
export function registerOpening(deps: OpeningDeps, outputs: Outputs): Disposable {
  return combine(
    registerPart(deps, 'execution.open', 'details'),
    registerPart(deps, 'execution.openInput', 'input'),
    registerPart(deps, 'execution.openTimeline', 'timeline'),
    registerOutput(deps, outputs),
  );
}
