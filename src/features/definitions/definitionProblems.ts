// The problems that prevent saving a definition, with their positions in the text.
import * as vscode from 'vscode';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { readJsonTree, readUnfinishedJsonTree } from '../../ui/jsonText.ts';
import { plainLine } from '../../editor/format.ts';

interface TextProblem {
  readonly offset: number;
  readonly message: string;
}

function findRepeated(node: Node): Node | undefined {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    if (name !== undefined && names.has(name.value)) return name;
    names.add(name?.value);
    const within = findRepeated(child);
    if (within !== undefined) return within;
  }
  return undefined;
}

/** Returns why the text can't be sent; undefined if it can. A repeated member is a problem too, because one of its values would be lost. */
export function findTextProblem(text: string): TextProblem | undefined {
  const tree = readJsonTree(text);
  if (tree.kind === 'error')
    return { offset: tree.offset, message: vscode.l10n.t('This is not valid JSON: {0}.', tree.reason) };
  const { root } = tree;
  if (root.type !== 'object')
    return { offset: root.offset, message: vscode.l10n.t('A definition must be a JSON object.') };
  const repeated = findRepeated(root);
  if (repeated === undefined) return undefined;
  return {
    offset: repeated.offset,
    message: vscode.l10n.t('"{0}" stands here twice.', plainLine(String(repeated.value), 80)),
  };
}

/** Returns the position of a path such as `nodes.0.config.url`; if the path doesn't exist, that of its nearest existing parent. */
export function locate(text: string, path: string): { readonly offset: number; readonly length: number } {
  const root = readUnfinishedJsonTree(text);
  const segments = path.split(/[./[\]]+/).filter((part) => part !== '');
  for (let depth = segments.length; root !== undefined && depth >= 0; depth -= 1) {
    const found = findNodeAtLocation(
      root,
      segments.slice(0, depth).map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    );
    if (found === undefined) continue;
    // Marks the name of a list or an object, because marking all of its text wouldn't help.
    const name = found.parent?.type === 'property' ? found.parent.children?.[0] : undefined;
    return found.children === undefined ? found : (name ?? { offset: found.offset, length: 1 });
  }
  return { offset: 0, length: 1 };
}

/** The problems that the service found in a document, until its text changes. */
export class DefinitionProblems implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(
    vscode.languages.createDiagnosticCollection('workflowAutomation.definition'),
  );

  constructor() {
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
    );
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.clear(uri)));
  }

  show(
    document: vscode.TextDocument,
    details: readonly { readonly path: string; readonly message: string }[],
  ): void {
    const text = document.getText();
    const diagnostics = details.map(({ path, message }) => {
      const { offset, length } = locate(text, path);
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      const place = path === '' ? '' : `${path}: `;
      const diagnostic = new vscode.Diagnostic(range, plainLine(place + message));
      diagnostic.source = 'Workflows';
      return diagnostic;
    });
    this.#collection.set(document.uri, diagnostics);
  }

  clear(uri: vscode.Uri): void {
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
