// Code lenses above a definition whose saved draft differs from the deployed definition. They offer to compare and to deploy.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { offerCommand } from '../../editor/commands.ts';
import { schemes } from '../../editor/ids.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { App } from '../../ui/app.ts';
import { definitionTarget, isTheirs } from '../../ui/addresses.ts';

export type DeploymentLensesDeps = Pick<App, 'workflows' | 'services'>;

const top = new vscode.Range(0, 0, 0, 0);

function lens(
  target: WorkflowTarget,
  name: 'workflow.deploy' | 'workflow.compareWithDeployed',
  title: string,
  tooltip: string,
): vscode.CodeLens {
  return new vscode.CodeLens(top, offerCommand(name, target, { title, tooltip }));
}

function deployLens(target: WorkflowTarget, tooltip: string): vscode.CodeLens {
  return lens(target, 'workflow.deploy', vscode.l10n.t('$(rocket) Deploy'), tooltip);
}

/** The lenses for a saved definition. None if the draft is deployed, or if the service doesn't say. */
function renderDeploymentLenses(
  target: WorkflowTarget,
  workflow: Workflow,
  mayDeploy: boolean,
): readonly vscode.CodeLens[] {
  if (workflow.isDeployed === false) {
    const reason = vscode.l10n.t('It is not deployed, so it cannot be executed yet.');
    return mayDeploy ? [deployLens(target, reason)] : [];
  }
  if (workflow.hasUndeployedChanges !== true) return [];
  const compare = lens(
    target,
    'workflow.compareWithDeployed',
    vscode.l10n.t('$(diff) Edited since deployed'),
    vscode.l10n.t('Compare the draft with what is deployed'),
  );
  const reason = vscode.l10n.t('Until then executions take what was deployed before.');
  return mayDeploy ? [compare, deployLens(target, reason)] : [compare];
}

function describe(lenses: readonly vscode.CodeLens[]): string {
  return JSON.stringify(lenses.map(({ command }) => command));
}

export function registerDeploymentLenses({ workflows, services }: DeploymentLensesDeps): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  const drawn = new WeakMap<vscode.TextDocument, string>();
  const lensesOf = (document: vscode.TextDocument): readonly vscode.CodeLens[] => {
    const target = definitionTarget(document.uri);
    // Deploying wouldn't include unsaved edits.
    if (target === undefined || document.isDirty || isTheirs(document.uri)) return [];
    const workflow = workflows.find(target);
    if (workflow === undefined) return [];
    const notOffered = services.notOffered(target.connectionId);
    return renderDeploymentLenses(target, workflow, !notOffered.current.has('deployWorkflow'));
  };
  /** Lenses can't be clicked while they're being redrawn, so this redraws them only if their content changes. */
  const redraw = (): void => {
    const isStale = (document: vscode.TextDocument): boolean => {
      const before = drawn.get(document);
      return before !== undefined && before !== describe(lensesOf(document));
    };
    if (vscode.workspace.textDocuments.some(isStale)) changes.fire();
  };
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: schemes.definition },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: (document) => {
          const lenses = lensesOf(document);
          drawn.set(document, describe(lenses));
          return [...lenses];
        },
      },
    ),
  );
  owned.add(workflows.onDidChangeItems(redraw));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => {
      // An event without content changes means that the dirty state changed.
      if (contentChanges.length === 0) redraw();
    }),
  );
  return owned;
}
