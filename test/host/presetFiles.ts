// The tests of presets write, read and await files of the workspace in the same way, on whichever file system they lie.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { until } from './until.ts';

/** Asks for a preset of the input document that is shown, as the palette does. The line above the text is drawn anew after each edit, and may lose a click. */
export function askForPreset(): void {
  void vscode.commands.executeCommand(commandId('workflow.inputPresets'));
}

/** A file below one of the workspace's folders, the first unless told. */
export function workspaceFile(path: string, folder = 0): vscode.Uri {
  const root = vscode.workspace.workspaceFolders?.[folder];
  assert.ok(root);
  return vscode.Uri.joinPath(root.uri, path);
}

export async function writeText(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

export async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

export const isThere = (uri: vscode.Uri): Thenable<boolean> =>
  vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );

/** Waits until the file is there and holds this text: one that is being written is there before its text. */
export async function untilHolds(uri: vscode.Uri, text: string): Promise<void> {
  await until(
    async () => ((await isThere(uri)) ? readText(uri) : undefined),
    (held) => held === text,
  );
}

export async function untilThere(uri: vscode.Uri): Promise<void> {
  await until(() => isThere(uri), Boolean);
}
