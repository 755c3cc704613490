// Opens the page on node types, which comes with the extension.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';

export function registerNodeTypesPage({
  commands,
  extensionFolder,
}: Pick<App, 'commands' | 'extensionFolder'>): Disposable {
  const page = vscode.Uri.joinPath(extensionFolder, 'media', 'node-types.md');
  // Not at a heading: the preview scrolls there before it's laid out, and ends up elsewhere.
  return commands.registerPlain('nodeTypes.open', async () => {
    await vscode.commands.executeCommand('markdown.showPreview', page);
    return undefined;
  });
}
