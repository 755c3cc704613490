// Shows what a definition's text offers and explains, in the editor's terms. Loaded when it's first asked for.
import * as vscode from 'vscode';
import type { ShownExecution } from '../../../model/executions/latestExecution.ts';
import { escapeMarkdown } from '../../../editor/format.ts';
import { findExplanation } from './hovers.ts';
import type { Span } from './jsonString.ts';
import { readLatestValues } from './latestValues.ts';
import { findOffers, type Offer } from './offers.ts';

const kinds: Readonly<Record<Offer['kind'], vscode.CompletionItemKind>> = {
  node: vscode.CompletionItemKind.Reference,
  branch: vscode.CompletionItemKind.EnumMember,
  name: vscode.CompletionItemKind.Field,
  variable: vscode.CompletionItemKind.Variable,
  function: vscode.CompletionItemKind.Function,
  operator: vscode.CompletionItemKind.Keyword,
  snippet: vscode.CompletionItemKind.Snippet,
};

export function complete(
  document: vscode.TextDocument,
  position: vscode.Position,
  shown: ShownExecution | undefined,
  trigger: string | undefined,
): vscode.CompletionItem[] {
  const offset = document.offsetAt(position);
  const offers = findOffers(document.getText(), offset, readLatestValues(shown), trigger);
  return offers.map((offer, index) => toItem(document, offer, index));
}

export function explain(
  document: vscode.TextDocument,
  position: vscode.Position,
  shown: ShownExecution | undefined,
): vscode.Hover | undefined {
  const found = findExplanation(document.getText(), document.offsetAt(position), readLatestValues(shown));
  if (found === undefined) return undefined;
  const { title, words, value, span } = found;
  const text = new vscode.MarkdownString().appendCodeblock(title, 'plaintext');
  for (const paragraph of words.filter((each) => each !== ''))
    text.appendMarkdown(`${escapeMarkdown(paragraph, 500)}\n\n`);
  if (value !== undefined) {
    text.appendMarkdown(`${escapeMarkdown(vscode.l10n.t('In the latest execution:'))}\n\n`);
    text.appendCodeblock(value, 'json');
  }
  return new vscode.Hover(text, toRange(document, span));
}

function toItem(document: vscode.TextDocument, offer: Offer, index: number): vscode.CompletionItem {
  const { kind, label, description, detail, documentation, before, after, filter, span, rank } = offer;
  const item = new vscode.CompletionItem({ label, description }, kinds[kind]);
  item.insertText =
    after === '' ? before : new vscode.SnippetString().appendText(before).appendTabstop(0).appendText(after);
  item.range = toRange(document, span);
  item.filterText = filter;
  item.sortText = `${rank}${String(index).padStart(5, '0')}`;
  if (detail !== '') item.detail = detail;
  if (documentation !== '') item.documentation = documentation;
  return item;
}

function toRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
