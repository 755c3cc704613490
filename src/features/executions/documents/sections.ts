// Outline, folding and links of the documents whose lines belong together.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import { schemes } from '../../../editor/ids.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import { nodeRunUri } from '../../../ui/executionUris.ts';

interface OutlineEntry {
  readonly title: string;
  readonly detail: string;
  readonly kind: vscode.SymbolKind;
}

/** Adjacent lines that belong together. Both ends are 0-based and inclusive. */
export interface Section {
  readonly firstLine: number;
  readonly lastLine: number;
  /** null: it's listed with an earlier one. A function, as a log may have thousands. */
  readonly entry: (() => OutlineEntry) | null;
  /** Where the first line leads to a node run. */
  readonly link?: { readonly run: NodeRun; readonly begin: number; readonly end: number };
  /** The sections inside this one. */
  readonly inner?: readonly Section[];
}

type SectionsOf = (document: vscode.TextDocument) => readonly Section[];

function symbolsOf(document: vscode.TextDocument, sections: readonly Section[]): vscode.DocumentSymbol[] {
  return sections.flatMap(({ entry, firstLine, lastLine, inner = [] }) => {
    if (entry === null) return [];
    const { title, detail, kind } = entry();
    const first = document.lineAt(firstLine).range;
    const whole = first.union(document.lineAt(lastLine).range);
    const symbol = new vscode.DocumentSymbol(title, detail, kind, whole, first);
    symbol.children = symbolsOf(document, inner);
    return [symbol];
  });
}

function foldsOf(sections: readonly Section[]): vscode.FoldingRange[] {
  return sections.flatMap(({ firstLine, lastLine, inner = [] }) => [
    ...(lastLine > firstLine ? [new vscode.FoldingRange(firstLine, lastLine)] : []),
    ...foldsOf(inner),
  ]);
}

/** Links lead only to the extension's own documents, never to URIs from the service. Their targets are made when they're followed. */
class RunLinks implements vscode.DocumentLinkProvider {
  readonly #sectionsOf: SectionsOf;
  readonly #connections: Connections;
  readonly #targets = new WeakMap<vscode.DocumentLink, () => vscode.Uri>();

  constructor(sectionsOf: SectionsOf, connections: Connections) {
    this.#sectionsOf = sectionsOf;
    this.#connections = connections;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const address = executionAddress(document.uri);
    if (address === undefined) return [];
    return this.#sectionsOf(document).flatMap(({ firstLine, link: place }) => {
      if (place === undefined) return [];
      const { run, begin, end } = place;
      const link = new vscode.DocumentLink(new vscode.Range(firstLine, begin, firstLine, end));
      link.tooltip = vscode.l10n.t('Open Node Run');
      this.#targets.set(link, () => nodeRunUri(this.#connections, address.target, run));
      return [link];
    });
  }

  resolveDocumentLink(link: vscode.DocumentLink): vscode.DocumentLink {
    const target = this.#targets.get(link)?.();
    if (target !== undefined) link.target = target;
    return link;
  }
}

export function registerSections(sectionsOf: SectionsOf, connections: Connections): Disposable {
  const languages = ['log', 'workflow-timeline', 'workflow-comparison'];
  const selector = languages.map((language) => ({ scheme: schemes.execution, language }));
  return combine(
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => symbolsOf(document, sectionsOf(document)),
    }),
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document) => foldsOf(sectionsOf(document)),
    }),
    vscode.languages.registerDocumentLinkProvider(selector, new RunLinks(sectionsOf, connections)),
  );
}
