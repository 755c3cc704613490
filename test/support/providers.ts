// The providers that were registered with the editor, for tests to ask.
import type * as vscode from 'vscode';

export interface CompletionProvider {
  readonly provideCompletionItems: (...values: readonly unknown[]) => unknown;
}

export interface LensProvider {
  readonly onDidChangeCodeLenses?: vscode.Event<void>;
  readonly provideCodeLenses: (document: vscode.TextDocument) => vscode.ProviderResult<vscode.CodeLens[]>;
}

/** What is asked of the names in a text. */
export type SymbolProvider = vscode.DefinitionProvider &
  vscode.ReferenceProvider &
  Required<vscode.RenameProvider>;

export interface ActionProvider {
  readonly provideCodeActions: (
    document: vscode.TextDocument,
    range: vscode.Range,
  ) => readonly vscode.CodeAction[];
}

/** Those that were registered last. Nobody asks for hovers. */
class Providers {
  actions: ActionProvider | undefined;
  completion: CompletionProvider | undefined;
  files: vscode.FileSystemProvider | undefined;
  lenses: LensProvider | undefined;
  symbols: SymbolProvider | undefined;
}

export const providers = new Providers();
