// Outline, folding and links for the node runs in a log or a timeline.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Connections } from '../../../model/connections/connections.ts';
import { plainLine } from '../../../editor/format.ts';
import { schemes } from '../../../editor/ids.ts';
import { statusWord } from '../../../ui/words/status.ts';
import { renderNodeName } from '../../../ui/words/renderLogLine.ts';
import type { FollowedDocuments } from './followedDocuments.ts';
import { nodeRunUri } from '../commands/openNodeRun.ts';
import type { RenderedRuns, RunSection } from './rendering/renderedRuns.ts';
import { formatDuration } from '../../../ui/words/time.ts';
import { executionAddress } from '../../../ui/addresses.ts';

function symbolOf({ run, firstLine, lastLine }: RunSection, document: vscode.TextDocument) {
  const state = run.status?.state ?? 'unknown';
  const duration = run.durationMs === null ? '' : ` · ${formatDuration(run.durationMs)}`;
  const first = document.lineAt(firstLine).range;
  return new vscode.DocumentSymbol(
    renderNodeName(run),
    statusWord(state, plainLine(run.status?.word ?? '', 40)) + duration,
    vscode.SymbolKind.Event,
    first.union(document.lineAt(lastLine).range),
    first,
  );
}

/** One symbol per run, at its first section. */
function outline(sections: readonly RunSection[], document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const seen = new Set<string>();
  return sections.flatMap((section) => {
    if (seen.has(section.run.key)) return [];
    seen.add(section.run.key);
    return [symbolOf(section, document)];
  });
}

/** Links lead only to the extension's own documents, never to URIs from the service. */
function links(
  { sections, linkColumn }: RenderedRuns,
  document: vscode.TextDocument,
  connections: Connections,
): vscode.DocumentLink[] {
  const address = executionAddress(document.uri);
  if (address === undefined || linkColumn === undefined) return [];
  return sections.map(({ run, firstLine }) => {
    const range = document
      .lineAt(firstLine)
      .range.with({ start: new vscode.Position(firstLine, linkColumn) });
    const link = new vscode.DocumentLink(range, nodeRunUri(connections, address.target, run));
    link.tooltip = vscode.l10n.t('Open Node Run');
    return link;
  });
}

export function registerRunOutline(followed: FollowedDocuments, connections: Connections): Disposable {
  const selector = ['log', 'plaintext'].map((language) => ({ scheme: schemes.execution, language }));
  /** Only the sections that the document already contains, because the rendered text may be newer than the document. */
  const find = (document: vscode.TextDocument): RenderedRuns => {
    const rendered = followed.find(document);
    const sections = rendered?.sections.filter(({ lastLine }) => lastLine < document.lineCount) ?? [];
    return { text: '', ...rendered, sections };
  };
  const owned = new DisposableStore();
  owned.add(
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => outline(find(document).sections, document),
    }),
  );
  owned.add(
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document) =>
        find(document)
          .sections.filter(({ firstLine, lastLine }) => lastLine > firstLine)
          .map(({ firstLine, lastLine }) => new vscode.FoldingRange(firstLine, lastLine)),
    }),
  );
  owned.add(
    vscode.languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: (document) => links(find(document), document, connections),
    }),
  );
  return owned;
}
