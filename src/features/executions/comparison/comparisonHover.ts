// What can be done with a field that differs, in a hover: a lens above each field would hide what differs.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { commandLink, formatted, paragraphs, toMarkdownString } from '../../../editor/markdown.ts';
import { type ComparedDocuments, comparisonSelector, renderedOf } from './comparedDocuments.ts';
import { type FieldSection, findField } from './renderComparison.ts';

export function renderHover({ pattern }: FieldSection): vscode.MarkdownString {
  const ignore = commandLink(
    'comparison.ignoreField',
    { field: pattern },
    vscode.l10n.t('Ignore This Field'),
  );
  return toMarkdownString(
    paragraphs([
      formatted`**${pattern}**`,
      formatted`${ignore} · ${vscode.l10n.t('ignores it in all comparisons')}`,
    ]),
  );
}

export function registerComparisonHover(compared: ComparedDocuments): Disposable {
  return vscode.languages.registerHoverProvider(comparisonSelector, {
    provideHover: (document, { line }) => {
      const field = findField(renderedOf(compared, document), line);
      if (field === undefined) return undefined;
      const range = new vscode.Range(
        field.firstLine,
        0,
        field.lastLine,
        document.lineAt(field.lastLine).text.length,
      );
      return new vscode.Hover(renderHover(field), range);
    },
  });
}
