// The text that a recorded execution is stepped through in: the definition that ran, or the one there is now.
import * as vscode from 'vscode';
import { equalJson } from '../../../base/json.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import { toDefinition } from '../../../model/workflows/workflowDefinition.ts';
import type { App } from '../../../ui/app.ts';
import { ChangedNodes } from '../shownExecution/changedNodes.ts';
import { findRanNodes, nodesOf, type RanNodes } from '../shownExecution/ranDefinitions.ts';
import type { RecordedSource } from './recording.ts';

export interface RecordedSourceDeps extends Pick<App, 'definitionTexts'> {
  /** Reads a workflow, and its definition into a document. */
  readonly read: (target: WorkflowTarget) => Promise<ReadDefinition>;
  /** Opens the deployed definition beside the one in a document. */
  readonly openDeployed: (definition: vscode.Uri) => Promise<Document>;
  /** What an execution is already known to have run, which the service may not tell. */
  readonly findRan: (target: ExecutionTarget) => RanNodes | undefined;
}

export interface ReadDefinition {
  readonly document: Document;
  readonly workflow: Workflow;
}

/** The document of a definition, which may be edited meanwhile. */
type Document = Pick<vscode.TextDocument, 'getText' | 'uri' | 'version'>;

/** What an execution ran, and where it's stepped through. */
export interface Ran {
  readonly document: Document;
  /** undefined if it isn't known. */
  readonly nodes: RanNodes | undefined;
  /** It's known to be neither the draft as it's saved nor the deployed definition. */
  readonly isEarlier: boolean;
}

/** Finds the draft if it's what ran, else the deployed definition if that is. If neither is known to be, it's the draft. */
export async function findRan(
  deps: RecordedSourceDeps,
  target: ExecutionTarget,
  record: Execution,
  { document, workflow }: ReadDefinition,
): Promise<Ran> {
  const text = deps.definitionTexts.of(document);
  const deployed = nodesOf(workflow.deployedDefinition ?? {}, text.format);
  const { definitionVersion: version } = record;
  const ofVersions = new Map([
    [workflow.deployedVersion, deployed],
    [workflow.draftVersion, nodesOf(toDefinition(workflow), text.format)],
  ]);
  const isEarlier = version !== null && workflow.draftVersion !== null && !ofVersions.has(version);
  const byTime = record.kind === 'draft' ? undefined : findRanNodes(workflow, record);
  const nodes = (version === null ? byTime : ofVersions.get(version)) ?? deps.findRan(target);
  const isDeployed =
    nodes !== undefined && isChanged(text, nodes) && deployed !== undefined && equalNodes(deployed, nodes);
  return { document: isDeployed ? await deps.openDeployed(document.uri) : document, nodes, isEarlier };
}

function equalNodes(one: RanNodes, other: RanNodes): boolean {
  return one.size === other.size && [...one].every(([id, node]) => equalJson(node, other.get(id)));
}

/** `changed`: keeps what was compared the last time. */
function isChanged({ byId }: DefinitionText, ran: RanNodes, changed = new ChangedNodes()): boolean {
  return byId.size !== ran.size || changed.find([...byId.values()], ran).size > 0;
}

/** The text as it is in the editor, also after a change. */
export function sourceOf(
  definitionTexts: App['definitionTexts'],
  { document, nodes, isEarlier }: Ran,
): RecordedSource {
  const text = () => definitionTexts.of(document);
  const changed = new ChangedNodes();
  return {
    uri: document.uri.toString(),
    name: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1),
    get warning() {
      if (isEarlier || (nodes !== undefined && isChanged(text(), nodes, changed)))
        return vscode.l10n.t('The definition has changed since this execution');
      return nodes === undefined ? vscode.l10n.t('This may not be the definition that ran') : undefined;
    },
    lineOf: (nodeId) => {
      const node = text().byId.get(nodeId);
      return node && lineAt(text().text, node.label.offset);
    },
    nodeAt: (line) => {
      const lines = text().text.split('\n');
      const start = lines.slice(0, line).reduce((length, each) => length + each.length + 1, 0);
      const found = lines[line] === undefined ? undefined : text().nodeAt(start);
      return found?.id;
    },
    hasNode: (nodeId) => text().byId.has(nodeId),
  };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}
