// Where a node's id is declared and used, and its renaming, in the editor's terms. Loaded when it's first asked for.
import * as vscode from 'vscode';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { findNodeId, listNodeIds, listNodes } from '../../../definition/nodeIds.ts';
import { rangeOf, rangeOfSpan } from '../../../editor/documents/documents.ts';
import { TextPositions } from '../../../editor/documents/textPositions.ts';
import type { FoundTestFile } from '../../../ui/testFiles.ts';
import { renameNode } from '../../../workflowTests/editTests.ts';
import { findTextProblem } from '../../../definition/definitionProblem.ts';
import { findRenamable, renameNodeId } from './renaming.ts';

/** A place in a definition. */
export interface NodeIdSpot {
  readonly document: vscode.TextDocument;
  readonly definition: DefinitionText;
  readonly offset: number;
}

export function findNodeIdDefinition({ document, definition, offset }: NodeIdSpot): vscode.DefinitionLink[] {
  const place = findNodeId(definition, offset);
  if (place === undefined) return [];
  const origin = rangeOfSpan(document, place.span);
  return listNodes(definition, place.id).map(({ node, span }) => ({
    originSelectionRange: origin,
    targetUri: document.uri,
    targetRange: rangeOf(document, node),
    targetSelectionRange: rangeOfSpan(document, span),
  }));
}

export function findNodeIdReferences(
  { document, definition, offset }: NodeIdSpot,
  includesDeclaration: boolean,
): vscode.Location[] {
  const place = findNodeId(definition, offset);
  if (place === undefined) return [];
  return listNodeIds(definition, place.id)
    .filter(({ kind }) => includesDeclaration || kind !== 'node')
    .map(({ span }) => new vscode.Location(document.uri, rangeOfSpan(document, span)));
}

/** Throws an error that says why the id can't be renamed, or that there's none. */
export function prepareRename(spot: NodeIdSpot): {
  readonly range: vscode.Range;
  readonly placeholder: string;
} {
  refuseOtherText(spot);
  const place = findRenamable(spot.definition, spot.offset);
  if ('refusal' in place) throw new Error(place.refusal);
  return { range: rangeOfSpan(spot.document, place.span), placeholder: place.id };
}

/** The same. `isLocal`: whether the rules of the local service hold. `tests`: the files whose tests name the definition's nodes. */
export function rename(
  spot: NodeIdSpot,
  to: string,
  isLocal: boolean,
  tests: readonly FoundTestFile[],
): vscode.WorkspaceEdit {
  refuseOtherText(spot);
  const { document, definition, offset } = spot;
  const edits = renameNodeId(definition, offset, to, isLocal);
  if ('refusal' in edits) throw new Error(edits.refusal);
  const edit = new vscode.WorkspaceEdit();
  for (const { content, ...part } of edits) edit.replace(document.uri, rangeOf(document, part), content);
  const from = findNodeId(definition, offset)?.id;
  if (from === undefined || edits.length === 0) return edit;
  for (const { uri, file } of tests) {
    const positions = new TextPositions(file.text);
    for (const { content, ...range } of renameNode(file.text, from, to))
      edit.replace(uri, positions.range(range), content);
  }
  return edit;
}

/** In a text that isn't JSON, some places could be missed. */
function refuseOtherText({ definition }: NodeIdSpot): void {
  const problem = definition.reading.error && findTextProblem(definition);
  if (problem !== undefined) throw new Error(problem.message);
}
