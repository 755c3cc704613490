// The text that a recorded execution is stepped through in: the definition that ran, or the one there is now.
import * as vscode from 'vscode';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { ifOffered } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import type { RanNodes } from '../../model/workflows/ranDefinitions.ts';
import type { App } from '../../ui/app.ts';
import { ChangedNodes } from '../../ui/changedNodes.ts';
import type { RecordedSource } from './recording.ts';

export interface RecordedSourceDeps extends Pick<App, 'definitionTexts' | 'ranDefinitions'> {
  /** Opens the definition of a workflow. Rejects with a ServiceError. */
  readonly read: (target: WorkflowTarget) => Promise<Document>;
  /** Opens the definition that an execution ran. */
  readonly openRan: (target: ExecutionTarget) => Promise<Document>;
}

/** The document of a definition, which may be edited meanwhile. */
type Document = Pick<vscode.TextDocument, 'getText' | 'uri' | 'version'>;

/** What an execution ran, and where it's stepped through. */
export interface Ran {
  readonly document: Document;
  /** undefined if it isn't known. */
  readonly nodes: RanNodes | undefined;
}

/** Finds the definition of the workflow if it's what ran, or if it isn't known what did. Otherwise it's the one that ran. */
export async function findRan(
  { definitionTexts, ranDefinitions, read, openRan }: RecordedSourceDeps,
  workflow: WorkflowTarget,
  record: Execution,
  signal: AbortSignal,
): Promise<Ran> {
  const reading = read(workflow);
  // The workflow may be deleted.
  const document = await ifOffered(reading);
  const nodes = (await ranDefinitions.read(workflow, record, signal))?.nodes;
  if (nodes === undefined) return { document: document ?? (await reading), nodes };
  if (document !== undefined && !isChanged(definitionTexts.of(document), nodes)) return { document, nodes };
  const target = { connectionId: workflow.connectionId, executionId: record.id };
  return { document: await openRan(target), nodes };
}

/** `changed`: keeps what was compared the last time. */
function isChanged({ byId }: DefinitionText, ran: RanNodes, changed = new ChangedNodes()): boolean {
  return byId.size !== ran.size || changed.find([...byId.values()], ran).size > 0;
}

/** The text as it is in the editor, also after a change. */
export function sourceOf(definitionTexts: App['definitionTexts'], { document, nodes }: Ran): RecordedSource {
  const text = () => definitionTexts.of(document);
  const changed = new ChangedNodes();
  return {
    uri: document.uri.toString(),
    name: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1),
    get warning() {
      if (nodes !== undefined && isChanged(text(), nodes, changed))
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
