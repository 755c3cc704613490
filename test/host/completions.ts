// What VS Code offers at a place of a document.
import * as vscode from 'vscode';
import { page } from './page.ts';
import { until } from './until.ts';

/** The rows of the list that the editor draws. */
export const suggestions = '.suggest-widget.visible .monaco-list-row';

/** The labels that the editor draws, top to bottom. */
export const drawnSuggestions = (): Promise<string[]> => page.texts(`${suggestions} .label-name`);

/** Asks with the keys of the editor until it offers what is wanted: who starts late has nothing in the first list. */
export function askSuggestions(isWanted: (labels: readonly string[]) => boolean): Promise<readonly string[]> {
  return until(async () => {
    if ((await drawnSuggestions()).length === 0) await page.press('Control+Space');
    await page.appears(suggestions);
    const labels = await drawnSuggestions();
    if (labels.length > 0 && !isWanted(labels)) await page.press('Escape');
    return labels;
  }, isWanted);
}

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
