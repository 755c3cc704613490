// The tests of inputs read and write the input document, and press what stands above it, in the same ways.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run } from './commands.ts';

const PastInputs = v.array(v.object({ input: v.record(v.string(), v.unknown()), usedAt: v.string() }));

export const ada = { name: 'Ada', email: 'ada@example.com' };
export const bob = { name: 'Bob', email: 'bob@example.com', age: 40 };
/** An input as the extension writes it. */
export const textOf = (input: object) => `${JSON.stringify(input, null, 2)}\n`;

/** A row of the open Quick Pick by a part of its text. */
export const row = (text: string) => `.quick-input-widget .monaco-list-row:has-text("${text}")`;

export async function openInput(workflowId: string): Promise<vscode.TextDocument> {
  const uri = await run(v.string(), 'workflow.openInput', { workflowId });
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
}

export const history = (workflowId: string) => run(PastInputs, 'workflow.inputHistory', { workflowId });
