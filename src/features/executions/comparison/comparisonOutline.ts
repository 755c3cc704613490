// Outline and folding of comparisons, and the links from node runs to their documents.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { schemes } from '../../../editor/ids.ts';
import type { ComparedDocuments } from './comparedDocuments.ts';
import type { RenderedComparison, RunSection } from './renderComparison.ts';

export const comparisonSelector = { scheme: schemes.execution, language: 'workflow-comparison' } as const;

/** What's shown of the document, unless its text is older and shorter. */
export function renderedOf(
  compared: ComparedDocuments,
  document: vscode.TextDocument,
): RenderedComparison | undefined {
  const rendered = compared.find(document.uri)?.rendered;
  return rendered?.text === document.getText() ? rendered : undefined;
}

interface Titled {
  readonly title: string;
  readonly detail?: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

function symbolOf(
  document: vscode.TextDocument,
  { title, detail = '', firstLine, lastLine }: Titled,
  kind: vscode.SymbolKind,
): vscode.DocumentSymbol {
  const first = document.lineAt(firstLine).range;
  return new vscode.DocumentSymbol(title, detail, kind, first.union(document.lineAt(lastLine).range), first);
}

function symbolsOf(document: vscode.TextDocument, { sections }: RenderedComparison): vscode.DocumentSymbol[] {
  return sections.map((section) => {
    const symbol = symbolOf(document, section, vscode.SymbolKind.Namespace);
    symbol.children = section.runs.map((run: RunSection) => symbolOf(document, run, vscode.SymbolKind.Event));
    return symbol;
  });
}

export function registerComparisonOutline(compared: ComparedDocuments): Disposable {
  return combine(
    vscode.languages.registerDocumentSymbolProvider(comparisonSelector, {
      provideDocumentSymbols: (document) => {
        const rendered = renderedOf(compared, document);
        return rendered && symbolsOf(document, rendered);
      },
    }),
    vscode.languages.registerFoldingRangeProvider(comparisonSelector, {
      provideFoldingRanges: (document) =>
        (renderedOf(compared, document)?.sections ?? [])
          .flatMap((section) => [section, ...section.runs])
          .filter(({ firstLine, lastLine }) => lastLine > firstLine)
          .map(({ firstLine, lastLine }) => new vscode.FoldingRange(firstLine, lastLine)),
    }),
  );
}
