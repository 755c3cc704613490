// The commands in a comparison.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { activeDocument, isInTab } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { addIgnoredField } from '../../../editor/settings.ts';
import { requireAddress } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import type { Outputs } from '../documents/outputs.ts';
import { type ComparedDocuments, comparisonSelector, renderedOf, targetsOf } from './comparedDocuments.ts';
import { registerComparisonLenses } from './comparisonLenses.ts';
import { type FieldSection, findField } from './renderComparison.ts';
import { comparisonTitle, sideUris } from './sides.ts';
import { commandLink, formatted, paragraphs, toMarkdownString } from '../../../editor/markdown.ts';

type ComparisonDeps = Pick<App, 'commands' | 'connections' | 'executions' | 'selection' | 'workflows'>;

/** The comparison in front. */
function uriInFront(): string {
  const uri = activeDocument();
  if (uri !== undefined && targetsOf(uri) !== undefined) return uri.toString();
  throw new PlainError(vscode.l10n.t('Open a comparison of two executions first.'));
}

/** The field of the line with the cursor, in the comparison in front. */
function fieldInFront(compared: ComparedDocuments): string {
  const editor = vscode.window.activeTextEditor;
  const line = editor?.selection.active.line ?? 0;
  const field = findField(editor && compared.find(editor.document.uri)?.rendered, line);
  if (field === undefined)
    throw new PlainError(vscode.l10n.t('Place the cursor on a difference in a comparison.'));
  return field.pattern;
}

function registerOpenDiff(deps: ComparisonDeps, outputs: Outputs, compared: ComparedDocuments): Disposable {
  return deps.commands.register('comparison.openDiff', {
    ask: () => Promise.resolve().then(() => ({ comparisonUri: uriInFront() })),
    run: async ({ comparisonUri }) => {
      const uri = vscode.Uri.parse(comparisonUri, true);
      const targets = requireAddress(uri, targetsOf);
      const pair =
        compared.find(uri)?.comparison ?? (await compared.readPair(targets, new AbortController().signal));
      const uris = sideUris(deps, targets, pair);
      const readings = (['left', 'right'] as const).map((side) => ({
        target: targets[side],
        output: pair[side].output,
      }));
      await outputs.lend(readings, () =>
        vscode.commands.executeCommand('vscode.diff', ...uris, comparisonTitle(deps, targets)),
      );
      return uris.map(String);
    },
  });
}

function registerIgnoreField({ commands }: ComparisonDeps, compared: ComparedDocuments): Disposable {
  return commands.register('comparison.ignoreField', {
    ask: () => Promise.resolve().then(() => ({ field: fieldInFront(compared) })),
    run: async ({ field }) => ({ ignoredFields: await addIgnoredField(field) }),
  });
}

export function registerComparison(
  deps: ComparisonDeps,
  outputs: Outputs,
  compared: ComparedDocuments,
): Disposable {
  return combine(
    registerOpenDiff(deps, outputs, compared),
    registerIgnoreField(deps, compared),
    registerComparisonLenses(compared),
    registerComparisonHover(compared),
    keepShown(deps, compared),
  );
}

export function renderDifferenceHover({ pattern }: FieldSection): vscode.MarkdownString {
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

function registerComparisonHover(compared: ComparedDocuments): Disposable {
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
      return new vscode.Hover(renderDifferenceHover(field), range);
    },
  });
}

/** Tells which comparison was in front last, as long as it has a tab. */
export function keepShown({ selection }: Pick<App, 'selection'>, compared: ComparedDocuments): Disposable {
  const owned = new DisposableStore();
  let current: vscode.Uri | undefined;
  const show = (): void => {
    const shown = current && compared.find(current);
    const [first] = shown?.comparison.different ?? [];
    const firstDifferentNodeId = first === undefined ? null : (first.right ?? first.left)?.nodeId;
    selection.selectComparison(
      shown === undefined
        ? null
        : { left: shown.left, right: shown.right, firstDifferentNodeId: firstDifferentNodeId ?? null },
    );
  };
  const look = (): void => {
    const front = activeDocument();
    const next = front !== undefined && targetsOf(front) !== undefined ? front : current;
    const open = next !== undefined && isInTab(next) ? next : undefined;
    if (open?.toString() === current?.toString()) return;
    current = open;
    show();
  };
  owned.add(vscode.window.tabGroups.onDidChangeTabs(look));
  owned.add(vscode.window.tabGroups.onDidChangeTabGroups(look));
  owned.add(
    compared.onDidShow((uri) => {
      look();
      if (uri.toString() === current?.toString()) show();
    }),
  );
  look();
  return owned;
}
