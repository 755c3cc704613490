// What VS Code explains at a place of a document.
import * as vscode from 'vscode';
import { until } from './until.ts';

/** Waits until what is explained there says all of this: who starts late explains nothing at first. */
export async function untilExplained(
  { uri }: vscode.TextDocument,
  position: vscode.Position,
  ...parts: readonly string[]
): Promise<void> {
  await until(
    async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        position,
      );
      return hovers
        .flatMap(({ contents }) => contents)
        .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
        .join('\n');
    },
    (text) => parts.every((part) => text.includes(part)),
  );
}
