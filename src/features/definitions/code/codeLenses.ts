// "Edit Code" above each node that has code.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { lensesAt } from '../../../editor/documents/documents.ts';
import type { DefinitionTexts } from '../../../ui/definitionTexts.ts';

export function listCodeLenses(
  texts: DefinitionTexts,
  document: vscode.TextDocument,
  target: WorkflowTarget,
): readonly vscode.CodeLens[] {
  return [...texts.of(document).byId.values()].flatMap(({ id, offset, code }) => {
    if (code === undefined) return [];
    const command = offerCommand(
      'node.editCode',
      { ...target, nodeId: id },
      {
        title: vscode.l10n.t('Edit Code'),
        tooltip: vscode.l10n.t('Open the code of this node in an editor of its own'),
      },
    );
    return lensesAt(document, offset, [command]);
  });
}
