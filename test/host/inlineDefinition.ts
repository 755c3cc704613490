// Reads what an execution says on a definition.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run } from './commands.ts';
import { page } from './page.ts';

export async function openDefinition(workflowId: string): Promise<vscode.TextDocument> {
  const uri = await run(v.string(), 'workflow.open', { workflowId });
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
}

/** The lenses as "text of their line: title", top to bottom. */
export async function lensesOf(document: vscode.TextDocument): Promise<readonly string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    100,
  );
  return lenses
    .filter(({ command }) => command !== undefined)
    .map(({ range, command }) => `${range.start.line}: ${command?.title ?? ''}`)
    .filter((text) => /Latest|Not executed|\$\(|Node Run|Iteration \d/.test(text));
}

/** The lenses as they're drawn. */
export const drawnLenses = async () =>
  (await page.texts('.codelens-decoration')).map((text) => text.replaceAll('\u00a0', ' '));

/** The line on which a node's object begins. */
export function lineOf(document: vscode.TextDocument, nodeId: string): number {
  const at = document.getText().indexOf(`"id": "${nodeId}"`);
  assert.ok(at > 0, nodeId);
  return document.positionAt(document.getText().lastIndexOf('{', at)).line;
}
