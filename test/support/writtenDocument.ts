// An open document whose text a test changes.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { documents } from './vscodeStandIn.ts';

class WrittenDocument {
  readonly uri: vscode.Uri;
  isDirty: boolean;
  version = 1;
  text: string;

  constructor(uri: vscode.Uri, text: string, isDirty: boolean) {
    this.uri = uri;
    this.text = text;
    this.isDirty = isDirty;
  }

  getText(): string {
    return this.text;
  }

  positionAt(offset: number): vscode.Position {
    const lines = this.text.slice(0, offset).split('\n');
    return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  offsetAt({ line, character }: vscode.Position): number {
    return this.text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  }
}

/** Opens it, as the editor knows it. */
export function openWritten(uri: vscode.Uri, text: string, isDirty = false) {
  const written = new WrittenDocument(uri, text, isDirty);
  documents.open(written);
  return {
    document: vscode.workspace.textDocuments.find(({ uri: each }) => each === uri) ?? assert.fail(),
    write: (next: string): void => {
      written.text = next;
      written.version += 1;
      documents.change(written);
    },
    setDirty: (next: boolean): void => {
      written.isDirty = next;
      documents.change(written);
    },
    close: (): void => documents.close(written),
  };
}
