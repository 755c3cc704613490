// Whoever saves a definition of a deployed workflow must know that executions do not take it yet, and have the way there at hand.
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

/** What stands above a definition as it is saved: nothing where it is what is deployed, or where the service does not tell. */
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
    // A deployment would not take what is not saved.
    if (target === undefined || document.isDirty || isTheirs(document.uri)) return [];
    const workflow = workflows.find(target);
    if (workflow === undefined) return [];
    const notOffered = services.notOffered(target.connectionId);
    return renderDeploymentLenses(target, workflow, !notOffered.current.has('deployWorkflow'));
  };
  /** While lenses are drawn again they cannot be clicked, so that is done only when they say something else. */
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
      // An event without changes tells that there are unsaved edits now, or none any more.
      if (contentChanges.length === 0) redraw();
    }),
  );
  return owned;
}
