// The commands in a comparison.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { activeDocument } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { addIgnoredField } from '../../../editor/settings.ts';
import type { App } from '../../../ui/app.ts';
import type { Outputs } from '../documents/outputs.ts';
import { type ComparedDocuments, targetsOf } from './comparedDocuments.ts';
import { registerComparisonHover } from './comparisonHover.ts';
import { registerComparisonLenses } from './comparisonLenses.ts';
import { keepShown } from './keepShown.ts';
import { findField } from './renderComparison.ts';
import { comparisonTitle, sideUris } from './sides.ts';

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
      const targets = targetsOf(uri);
      if (targets === undefined) throw vscode.FileSystemError.FileNotFound(uri);
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
