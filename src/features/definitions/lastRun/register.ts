// Shows the result of the workflow's latest execution, or of the one that was chosen, in an open definition.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Ages } from '../../../editor/ages.ts';
import type { ShownExecution } from '../../../model/selection/shownExecution.ts';
import type { App } from '../../../ui/app.ts';
import { type ChoosingDeps, registerChoosing } from './choosing.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { schemes } from '../../../editor/ids.ts';
import { withoutReplaced } from '../inline/changedNodes.ts';
import { keepAges } from '../keepAges.ts';
import type { LastRun, LastRuns } from './lastRuns.ts';
import {
  type NodeLens,
  renderExecutionLens,
  renderExecutionTooltip,
  renderNodeActions,
  renderNodeFailures,
  renderNodeLenses,
} from './renderLastRun.ts';
import { onDidChange, settings } from '../../../editor/settings.ts';

export function registerLastRun(lastRuns: LastRuns, deps: ChoosingDeps & Pick<App, 'ages'>): Disposable {
  return combine(registerLenses(lastRuns, deps.ages), registerProblems(lastRuns), registerChoosing(deps));
}

type ShownOne = Extract<ShownExecution, { readonly kind: 'execution' }>;

/** Code lenses above a definition and its nodes. */
function registerLenses(lastRuns: LastRuns, ages: Ages): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  /** What the first lens of each document says. */
  const titles = new WeakMap<vscode.TextDocument, string | undefined>();
  const titleOf = (document: vscode.TextDocument): string | undefined => {
    const shown = lastRuns.shownOn(document);
    return shown && renderExecutionLens(shown, lastRuns.isDeployedSince(document), ages.now);
  };
  const isStale = (document: vscode.TextDocument): boolean =>
    titles.has(document) && titles.get(document) !== titleOf(document);
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: schemes.definition },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: (document) => {
          const lastRun = lastRuns.find(document);
          if (lastRun === undefined) return undefined;
          const title = titleOf(document);
          titles.set(document, title);
          const tooltip = renderExecutionTooltip(lastRuns.isDeployedSince(document));
          return [...executionLens(lastRun, title, tooltip), ...nodeLenses(lastRun)];
        },
      },
    ),
  );
  owned.add(lastRuns.onDidChange(() => changes.fire()));
  owned.add(onDidChange(settings.showExecution, () => changes.fire()));
  owned.add(
    keepAges(ages, () => {
      if (vscode.workspace.textDocuments.some(isStale)) changes.fire();
    }),
  );
  return owned;
}

function executionLens(
  { shown }: LastRun,
  title: string | undefined,
  tooltip: string,
): readonly vscode.CodeLens[] {
  if (title === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  // A lens with an empty command is plain text.
  if (shown.kind !== 'execution') return [new vscode.CodeLens(top, { title, command: '' })];
  return [
    new vscode.CodeLens(top, offerCommand('execution.openLog', shown.target, { title, tooltip })),
    ...choices(shown).map((command) => new vscode.CodeLens(top, command)),
  ];
}

function choices({ target, execution, isLatest }: ShownOne): readonly vscode.Command[] {
  if (execution.workflowId === null) return [];
  const workflow = { connectionId: target.connectionId, workflowId: execution.workflowId };
  const choose = offerCommand('workflow.chooseExecution', workflow, {
    title: vscode.l10n.t('Others…'),
    tooltip: vscode.l10n.t('Show another execution in this definition'),
  });
  if (isLatest) return [choose];
  const latest = offerCommand('workflow.showLatestExecution', workflow, {
    title: vscode.l10n.t('Show Latest'),
    tooltip: vscode.l10n.t('Show the latest execution in this definition'),
  });
  return [latest, choose];
}

function nodeLenses({ document, shown, nodes, positions, changes }: LastRun): readonly vscode.CodeLens[] {
  if (shown.kind !== 'execution') return [];
  const lenses = settings.showExecution()
    ? renderNodeActions(nodes, positions)
    : renderNodeLenses(nodes, withoutReplaced(positions, changes));
  return lenses.map((lens) => {
    const start = document.positionAt(lens.offset);
    return new vscode.CodeLens(new vscode.Range(start, start), toCommand(lens, shown));
  });
}

function toCommand(lens: NodeLens, { target, execution }: ShownOne): vscode.Command {
  const { nodeId, does, title, tooltip } = lens;
  const { connectionId } = target;
  const workflow = { connectionId, workflowId: execution.workflowId ?? '', nodeId };
  switch (does.kind) {
    case 'open':
      return offerCommand('nodeRun.open', { ...target, nodeRunKey: does.nodeRunKey }, { title, tooltip });
    case 'choose':
      return offerCommand('nodeRun.open', { ...target, nodeId }, { title, tooltip });
    case 'nothing':
      return { title, command: '' };
    case 'previousTurn':
      return offerCommand('workflow.previousTurn', workflow, { title, tooltip });
    case 'nextTurn':
      return offerCommand('workflow.nextTurn', workflow, { title, tooltip });
  }
}

/** Lists the failed nodes in the Problems panel. */
function registerProblems(lastRuns: LastRuns): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('workflowAutomation.inline'));
  owned.add(lastRuns.onDidChange((lastRun) => collection.set(lastRun.document.uri, toDiagnostics(lastRun))));
  owned.add(lastRuns.onDidClose((uri) => collection.delete(uri)));
  return owned;
}

function toDiagnostics({
  document,
  shown,
  nodes,
  positions,
  changes,
}: LastRun): readonly vscode.Diagnostic[] {
  const failures = renderNodeFailures(shown, nodes, withoutReplaced(positions, changes));
  return failures.map(({ offset, length, message }) => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Workflows';
    return diagnostic;
  });
}
