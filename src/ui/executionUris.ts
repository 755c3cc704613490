// The addresses of executions' documents, with their titles.
import * as vscode from 'vscode';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import { joined, plainLine } from '../base/format.ts';
import type { Connections } from '../model/connections/connections.ts';
import { type ExecutionPart, executionUri, withEnding } from './addresses.ts';
import type { App } from './app.ts';
import { draftWord } from '../words/executionWords.ts';
import { connectionName, shortId, workflowName } from '../words/names.ts';
import { definitionFormats } from '../domain/definitionFormat.ts';

/** The parts that need no more than the execution. */
type WholePart = Exclude<ExecutionPart, 'node' | 'comparison' | 'differences'>;

function partWord(part: WholePart): string {
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
    case 'definition':
      return vscode.l10n.t('definition');
  }
}

/** `name`: that of the workflow. */
interface ExecutionTitle {
  readonly name: string;
  /** Shortened, with the word for a draft. */
  readonly id: string;
}

/** The title is only nice to know, so it costs no request. */
export function titleOf(
  { executions, workflows }: Pick<App, 'executions' | 'workflows'>,
  target: ExecutionTarget,
): ExecutionTitle {
  const execution = executions.find(target);
  const workflowId = execution?.workflowId ?? null;
  const name = workflowName(workflows, target.connectionId, workflowId);
  // The id follows the name, so a long name must leave room for it.
  const id = joined([execution && draftWord(execution), shortId(target.executionId)], ' ');
  return { name: plainLine(name, 50), id };
}

export function documentUri(
  deps: Pick<App, 'connections' | 'executions' | 'workflows'>,
  target: ExecutionTarget,
  part: WholePart,
): vscode.Uri {
  const { name, id } = titleOf(deps, target);
  return executionUri(
    { target, part, nodeRunKey: '', isCompact: false },
    {
      connectionName: connectionName(deps.connections, target.connectionId),
      title: `${name} ${id} ${partWord(part)}`,
    },
  );
}

/** The URI of the definition that an execution ran. */
export function ranDefinitionUri(
  deps: Pick<App, 'connections' | 'executions' | 'services' | 'workflows'>,
  target: ExecutionTarget,
): vscode.Uri {
  const format = deps.services.traits(target.connectionId).definitionFormat;
  return withEnding(documentUri(deps, target, 'definition'), definitionFormats[format].fileEnding);
}

/** The URI of a node run's document, titled "Name iteration id". */
export function nodeRunUri(
  connections: Connections,
  target: ExecutionTarget,
  { key, nodeName, iteration }: Pick<NodeRun, 'key' | 'nodeName' | 'iteration'>,
): vscode.Uri {
  const numbers = iteration.map((index) => ` ${index + 1}`).join('');
  return executionUri(
    { target, part: 'node', nodeRunKey: key, isCompact: false },
    {
      connectionName: connectionName(connections, target.connectionId),
      title: `${plainLine(nodeName, 50)}${numbers} ${shortId(target.executionId)}`,
    },
  );
}
