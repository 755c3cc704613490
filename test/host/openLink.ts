// Links to the extension, as the editor hands over one from outside.
import * as vscode from 'vscode';
import { write } from './keyboard.ts';

/** Whether the editor hands them over without asking, as once the user has said so. */
export async function allowLinks(areAllowed: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration('extensions')
    .update(
      'confirmedUriHandlerExtensionIds',
      areAllowed ? ['workflow-automation.workflow-automation'] : undefined,
      vscode.ConfigurationTarget.Global,
    );
}

/** Opens the link; returns when it was handed over. */
export async function openLink(link: string): Promise<void> {
  void vscode.commands.executeCommand('workbench.action.url.openUrl');
  await write('URL to open', link);
}
