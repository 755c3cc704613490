// The text that a recorded execution is stepped through in: the definition that ran, or the one there is now.
import * as vscode from 'vscode';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../../domain/targets.ts';
import type { App } from '../../../ui/app.ts';
import { ChangedNodes } from '../shownExecution/changedNodes.ts';
import { findRanNodes, type RanNodes } from '../shownExecution/ranDefinitions.ts';
import type { RecordedSource } from './recording.ts';

export interface RecordedSourceDeps extends Pick<App, 'definitionTexts' | 'workflows'> {
  /** Reads a definition into its document. */
  readonly read: (target: WorkflowTarget) => Promise<Document>;
  /** Opens the deployed definition beside the one in a document. */
  readonly openDeployed: (definition: vscode.Uri) => Promise<Document>;
}

/** The document of a definition, which may be edited meanwhile. */
type Document = Pick<vscode.TextDocument, 'getText' | 'uri' | 'version'>;

/** The deployed definition if that is what ran and the draft differs from it by now, else the draft. */
export async function findRanDocument(deps: RecordedSourceDeps, opened: Opened): Promise<Document> {
  const { document } = opened;
  const ran = findRan(deps, opened);
  const text = deps.definitionTexts.of(document);
  if (ran === undefined || !isChanged(text, ran)) return document;
  return deps.openDeployed(document.uri);
}

/** The nodes that ran; undefined if the service doesn't tell them. */
export function findRan(
  { workflows }: RecordedSourceDeps,
  { workflow, record }: Opened,
): RanNodes | undefined {
  const known = record.kind === 'draft' ? undefined : workflows.find(workflow);
  return known && findRanNodes(known, record);
}

/** `changed`: keeps what was compared the last time. */
function isChanged({ byId }: DefinitionText, ran: RanNodes, changed = new ChangedNodes()): boolean {
  return byId.size !== ran.size || changed.find([...byId.values()], ran).size > 0;
}

export interface Opened {
  readonly target: ExecutionTarget;
  readonly workflow: WorkflowTarget;
  readonly document: Document;
  readonly record: Execution;
}

/** The text as it is in the editor, also after a change. */
export function sourceOf(deps: RecordedSourceDeps, opened: Opened): RecordedSource {
  const { document } = opened;
  const text = () => deps.definitionTexts.of(document);
  const changed = new ChangedNodes();
  return {
    uri: document.uri.toString(),
    name: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1),
    get warning() {
      const ran = findRan(deps, opened);
      if (ran === undefined) return vscode.l10n.t('This may not be the definition that ran');
      return isChanged(text(), ran, changed)
        ? vscode.l10n.t('The definition has changed since this execution')
        : undefined;
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
