// Shows what a definition's text offers and explains, in the editor's terms. Loaded when it's first asked for.
import * as vscode from 'vscode';
import type { KnownSecrets } from '../../../model/secrets.ts';
import type { TextPlace } from '../../../editor/lazy/lazySurfaces.ts';
import { plainLine } from '../../../base/format.ts';
import { codeBlock, commandLink, paragraphs, toMarkdownString } from '../../../editor/markdown.ts';
import { type DraftOffers, explainRun } from '../shownExecution/nodeHover.ts';
import type { DrawnExecution } from '../shownExecution/drawnExecutions.ts';
import { type Explanation, findExplanation } from './hovers.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { TextSpan } from '../../../definition/jsonString.ts';
import { readShownValues } from '../shownExecution/readShownValues.ts';
import type { Offer } from '../../../ui/expressions/offer.ts';
import { findOffers } from './offers.ts';

const kinds: Readonly<Record<Offer['kind'], vscode.CompletionItemKind>> = {
  node: vscode.CompletionItemKind.Reference,
  branch: vscode.CompletionItemKind.EnumMember,
  name: vscode.CompletionItemKind.Field,
  variable: vscode.CompletionItemKind.Variable,
  function: vscode.CompletionItemKind.Function,
  operator: vscode.CompletionItemKind.Keyword,
  snippet: vscode.CompletionItemKind.Snippet,
};

/** What is known of the values of a document's expressions. */
export interface KnownValues extends DraftOffers {
  readonly drawn: DrawnExecution | undefined;
  readonly secrets: KnownSecrets;
}

export function complete(
  place: TextPlace,
  definition: DefinitionText,
  { drawn, secrets }: KnownValues,
  trigger: string | undefined,
): vscode.CompletionItem[] {
  const offers = findOffers(definition, place.offset, { ...readShownValues(drawn), secrets }, trigger);
  return toItems(place, offers);
}

export function toItems(place: TextPlace, offers: readonly Offer[]): vscode.CompletionItem[] {
  return offers.map((offer, index) => toItem(place, offer, index));
}

export function toHover(place: TextPlace, found: Explanation): vscode.Hover {
  return new vscode.Hover(renderExplanation(found), toRange(place, found.span));
}

/** Explains what is under the pointer, or else the run of the node whose name or id is on the line. */
export function explain(
  place: TextPlace,
  definition: DefinitionText,
  { drawn, secrets, ...offers }: KnownValues,
): vscode.Hover | undefined {
  const found = findExplanation(definition, place.offset, { ...readShownValues(drawn), secrets });
  if (found === undefined) return drawn && explainRun(drawn, place.position.line, offers);
  return toHover(place, found);
}

export function renderExplanation({
  title,
  words,
  value,
  isNodeType = false,
}: Explanation): vscode.MarkdownString {
  const latest =
    value === undefined ? [] : [vscode.l10n.t('In the latest execution:'), codeBlock(value, 'json')];
  const more = isNodeType ? commandLink('nodeTypes.open', {}, vscode.l10n.t('Open Node Types')) : undefined;
  return toMarkdownString(
    paragraphs([
      codeBlock(title, 'plaintext'),
      ...words.map((each) => plainLine(each, 500)),
      ...latest,
      more,
    ]),
  );
}

function toItem(place: TextPlace, offer: Offer, index: number): vscode.CompletionItem {
  const { kind, label, description, detail, documentation, before, after, filter, span, rank } = offer;
  const item = new vscode.CompletionItem({ label, description }, kinds[kind]);
  item.insertText =
    after === '' ? before : new vscode.SnippetString().appendText(before).appendTabstop(0).appendText(after);
  item.range = toRange(place, span);
  item.filterText = filter;
  item.sortText = `${rank}${String(index).padStart(5, '0')}`;
  if (detail !== '') item.detail = detail;
  if (documentation !== '') item.documentation = documentation;
  return item;
}

/** A string of JSON lies on one line. */
function toRange({ position, offset }: TextPlace, { start, end }: TextSpan): vscode.Range {
  const { line, character } = position;
  return new vscode.Range(line, character + start - offset, line, character + end - offset);
}
