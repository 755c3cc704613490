// Compares the deployed definition (left) with the draft (right).
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { DefinitionSnapshot } from '../../model/definitions/definitionStore.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { plainLine } from '../../editor/format.ts';
import { showMessage } from '../../editor/prompts.ts';
import { requireDeployedDefinition } from './deployedDocuments.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { deployedUri } from '../../ui/addresses.ts';
import { findDocument } from '../../editor/documents.ts';

/** A definition that was just read, and the URI of its document. */
export interface ReadDefinition {
  readonly uri: vscode.Uri;
  readonly snapshot: DefinitionSnapshot;
}

export type CompareWithDeployedDeps = Pick<App, 'commands' | 'connections' | 'workflows' | 'clock'>;

/** False only if the service says that there are no differences. */
function mayDiffer({ isDeployed, hasUndeployedChanges }: Workflow): boolean {
  return isDeployed !== false && hasUndeployedChanges !== false;
}

async function showDiff(left: vscode.Uri, right: vscode.Uri, name: string): Promise<void> {
  const title = vscode.l10n.t('{0}: deployed ↔ draft', name);
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: false });
}

export function registerCompareWithDeployed(
  deps: CompareWithDeployedDeps,
  read: (target: WorkflowTarget) => Promise<ReadDefinition>,
): Disposable {
  return deps.commands.register('workflow.compareWithDeployed', {
    ask: () =>
      pickWorkflow(deps, {
        accepts: mayDiffer,
        none: new PlainError(vscode.l10n.t('No workflow was edited since it was deployed.')),
      }),
    run: async (target, { isInteractive }) => {
      const { uri, snapshot } = await read(target);
      const { workflow } = snapshot;
      const name = plainLine(workflow.name, 80);
      if (workflow.isDeployed === false)
        throw new PlainError(
          vscode.l10n.t('“{0}” is not deployed, so there is nothing to compare its draft with.', name),
        );
      requireDeployedDefinition(workflow);
      const isDifferent = workflow.hasUndeployedChanges === true;
      const isEdited = findDocument(uri)?.isDirty === true;
      if (isDifferent || isEdited) await showDiff(deployedUri(uri), uri, name);
      else if (isInteractive)
        void showMessage('information', vscode.l10n.t('The draft of “{0}” is what is deployed.', name));
      return { workflowId: target.workflowId, isDifferent };
    },
  });
}
