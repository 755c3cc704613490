// What an archived workflow offers above its documents, in place of what the service refuses.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../domain/targets.ts';
import { offerCommand } from '../editor/commands.ts';

export function unarchiveCommand(target: WorkflowTarget): vscode.Command {
  return offerCommand('workflow.unarchive', target, {
    title: vscode.l10n.t('Unarchive'),
    tooltip: vscode.l10n.t('An archived workflow can be neither deployed nor executed.'),
  });
}
