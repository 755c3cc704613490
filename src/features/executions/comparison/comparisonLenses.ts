// What can be done in a comparison, in lines above what it's about.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { ignoredFieldsId } from '../../../editor/settings.ts';
import {
  type ComparedDocuments,
  comparisonSelector,
  renderedOf,
  type ShownDocument,
} from './comparedDocuments.ts';
import type { ComparedRunSection } from './renderComparison.ts';

/** A command and the line that it stands above. */
interface LineCommand {
  readonly line: number;
  readonly command: vscode.Command;
}

const editIgnored = (): vscode.Command => ({
  command: 'workbench.action.openSettings',
  title: vscode.l10n.t('Edit Ignored Fields'),
  tooltip: vscode.l10n.t('Show the list of ignored fields'),
  arguments: [`@id:${ignoredFieldsId}`],
});

function runLenses(
  { left, right }: ShownDocument,
  { firstLine, runs }: ComparedRunSection,
): readonly LineCommand[] {
  const open = (target: ShownDocument['left'], key: string, title: string): LineCommand => ({
    line: firstLine,
    command: offerCommand('nodeRun.open', { ...target, nodeRunKey: key }, { title }),
  });
  const shown = runs.right ?? runs.left;
  if (shown === undefined) return [];
  const target = runs.right === undefined ? left : right;
  return [
    ...(runs.left ? [open(left, runs.left.key, vscode.l10n.t('Open Left'))] : []),
    ...(runs.right ? [open(right, runs.right.key, vscode.l10n.t('Open Right'))] : []),
    {
      line: firstLine,
      command: offerCommand(
        'nodeRun.revealInDefinition',
        { ...target, nodeId: shown.nodeId },
        { title: vscode.l10n.t('Reveal Node in Definition') },
      ),
    },
  ];
}

/** `uri`: of the document. */
export function renderComparisonLenses(uri: string, shown: ShownDocument): readonly LineCommand[] {
  const { sections, ignoredLine } = shown.rendered;
  const openDiff = offerCommand(
    'comparison.openDiff',
    { comparisonUri: uri },
    {
      title: vscode.l10n.t('Open Diff'),
      tooltip: vscode.l10n.t('Show the whole values of both executions side by side'),
    },
  );
  return [
    { line: 0, command: openDiff },
    ...sections.flatMap(({ runs }) => runs.flatMap((section) => runLenses(shown, section))),
    ...(ignoredLine === null ? [] : [{ line: ignoredLine, command: editIgnored() }]),
  ];
}

export function registerComparisonLenses(compared: ComparedDocuments): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(compared.onDidShow(() => changes.fire()));
  owned.add(
    vscode.languages.registerCodeLensProvider(comparisonSelector, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) => {
        const shown = compared.find(document.uri);
        if (shown === undefined || renderedOf(compared, document) === undefined) return [];
        return renderComparisonLenses(document.uri.toString(), shown).map(
          ({ line, command }) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command),
        );
      },
    }),
  );
  return owned;
}
