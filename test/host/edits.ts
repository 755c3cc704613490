// Changes documents as somebody types: where the editor refuses an edit, since the text has moved before the extension host was told, it's made
// again in the text as it is by then.
import * as vscode from 'vscode';
import { until } from './until.ts';

/** Makes the edit that is found, once there is one that the editor takes. */
export async function applyFound(
  find: () => vscode.WorkspaceEdit | undefined | PromiseLike<vscode.WorkspaceEdit | undefined>,
): Promise<void> {
  await until(async () => {
    const edit = await find();
    return edit !== undefined && (await vscode.workspace.applyEdit(edit));
  }, Boolean);
}

/** Takes the quick fix of a range that is offered under a title with this beginning. After an edit, fixes come back later than it. */
export function applyQuickFix(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  title: string,
): Promise<void> {
  return applyFound(async () => {
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      range,
    );
    return actions.find((action) => action.title.startsWith(title))?.edit;
  });
}

/** Replaces the first place where a text stands, once it stands there. */
export async function replaceOnce(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  await until(
    async () => {
      const text = document.getText();
      const start = text.indexOf(from);
      if (start < 0) return `${JSON.stringify(from)} is not in ${text}`;
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
      return describeRefusal(document, range, to);
    },
    (refusal) => refusal === undefined,
  );
}

/** Replaces all that a document says. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  await until(
    () => describeRefusal(document, new vscode.Range(0, 0, document.lineCount, 0), text),
    (refusal) => refusal === undefined,
  );
}

/** Undefined when the editor has taken the edit. */
async function describeRefusal(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  text: string,
): Promise<string | undefined> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, range, text);
  return (await vscode.workspace.applyEdit(edit))
    ? undefined
    : `The editor refuses an edit of ${uri.toString()}`;
}
