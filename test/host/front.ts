// What is in front. The editor tells the extension host of it a moment after the command that brought it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until.ts';

const inFront = (): vscode.TextDocument | undefined => vscode.window.activeTextEditor?.document;

/** Waits until a document like this is in front, and returns it. */
export async function untilInFront(
  isWanted: (document: vscode.TextDocument) => boolean = () => true,
): Promise<vscode.TextDocument> {
  let found: vscode.TextDocument | undefined;
  await until(
    () => {
      const document = inFront();
      found = document !== undefined && isWanted(document) ? document : undefined;
      return { wanted: found !== undefined, uri: document?.uri.toString(), text: document?.getText() };
    },
    ({ wanted }) => wanted,
  );
  return found ?? assert.fail('Nothing is in front.');
}

/** Waits until the document with this URI is in front, and returns it. */
export const untilUriInFront = (uri: string): Promise<vscode.TextDocument> =>
  untilInFront((document) => document.uri.toString() === uri);

export async function untilNothingInFront(): Promise<void> {
  await until(
    () => inFront()?.uri.toString(),
    (uri) => uri === undefined,
  );
}
