// Where a service reports the nodes of an execution only at its end, offers to change that for the workflow.
import * as vscode from 'vscode';
import { type ExecutionTarget, targetName } from '../../../domain/targets.ts';
import { confirm } from '../../../editor/prompts/dialogs.ts';
import { plainLine } from '../../../base/format.ts';
import { Cancelled, showMessage } from '../../../editor/prompts/prompts.ts';
import { showStatusBarMessage } from '../../../editor/prompts/statusBarMessage.ts';
import type { App } from '../../../ui/app.ts';
import { findNodesAtEnd } from '../../../ui/nodesAtEnd.ts';
import { findWorkflowOf } from '../../../ui/workflowOf.ts';

type OfferDeps = Pick<App, 'actions' | 'commands' | 'executions' | 'services' | 'workflows'>;

export class ProgressOffer {
  readonly #deps: OfferDeps;
  /** The workflows that it was offered for. */
  readonly #offered = new Set<string>();

  constructor(deps: OfferDeps) {
    this.#deps = deps;
  }

  /** Offers it once for each workflow. Nobody waits for the answer. */
  async offer(execution: ExecutionTarget): Promise<void> {
    const workflow = findWorkflowOf(this.#deps, execution);
    const by = findNodesAtEnd(this.#deps, execution);
    if (workflow === undefined || by === undefined) return;
    const target = { connectionId: execution.connectionId, workflowId: workflow.id };
    if (this.#offered.has(targetName(target))) return;
    this.#offered.add(targetName(target));
    const name = plainLine(workflow.name, 80);
    try {
      const text = vscode.l10n.t('{0} reports the nodes of "{1}" only when an execution ends.', by, name);
      const wanted = await showMessage('information', text, [
        { title: vscode.l10n.t('Show While Running…') },
      ]);
      if (wanted === undefined) return;
      await confirm(
        vscode.l10n.t('Let "{0}" save its progress?', name),
        vscode.l10n.t('Save Progress'),
        vscode.l10n.t(
          'This changes a setting of the workflow on the service, and deploys what is saved if the workflow is deployed. {0} then keeps what each node gave as soon as it has run, which takes more time.',
          by,
        ),
      );
      await this.#deps.actions.saveProgress(target);
      showStatusBarMessage(vscode.l10n.t('Starting with the next execution, nodes appear while they run.'));
    } catch (error) {
      if (!(error instanceof Cancelled)) await this.#deps.commands.present(error);
    }
  }
}
