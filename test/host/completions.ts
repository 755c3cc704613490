// What VS Code offers at a place of a document.
import * as vscode from 'vscode';

/** The labels that are offered at once, from all who offer some: those that start late are missing at first. */
export async function completionsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<string[]> {
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
  );
  return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}
