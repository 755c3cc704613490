// Why: after an edit the editor draws the lines of actions anew, and for a moment a click on a drawn one does nothing.
import * as vscode from 'vscode';
import { until } from './until.ts';

/** Begins what a click on the first lens with this text does, once it is there. */
export async function pressLens({ uri }: vscode.TextDocument, title: string): Promise<void> {
  const lenses = (): Thenable<vscode.CodeLens[]> =>
    vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 100);
  const named = (all: readonly vscode.CodeLens[]): vscode.Command | undefined =>
    all.map(({ command }) => command).find((command) => command?.title.includes(title));
  const command = named(await until(lenses, (all) => named(all) !== undefined));
  const given: readonly unknown[] = command?.arguments ?? [];
  void vscode.commands.executeCommand(command?.command ?? '', ...given);
}
