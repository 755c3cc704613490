// Shows a definition at one of its nodes.
import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { rangeOf } from '../../editor/documents/documents.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { DefinitionTexts } from '../../ui/definitionTexts.ts';

/** Selects the node's name, or else its id: the line that its failure is marked on. */
export async function showNode(texts: DefinitionTexts, uri: vscode.Uri, nodeId: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const node = texts.of(document).byId.get(nodeId);
  if (node === undefined) {
    await vscode.window.showTextDocument(document, { preview: false });
    throw nodeGone(nodeId);
  }
  const selection = rangeOf(document, node.label);
  await vscode.window.showTextDocument(document, { preview: false, selection });
}

export function nodeGone(nodeId: string): PlainError {
  return new PlainError(
    vscode.l10n.t('The node "{0}" is no longer in the definition.', plainLine(nodeId, 80)),
  );
}
