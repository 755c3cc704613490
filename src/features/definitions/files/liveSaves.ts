// Where what is saved is deployed at once, the first save of a document asks.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { Workflow } from '../../../domain/workflow.ts';
import { askInDialog } from '../../../editor/dialogs.ts';
import { findDocument } from '../../../editor/documents.ts';
import { plainLine } from '../../../editor/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { App } from '../../../ui/app.ts';

export class LiveSaves {
  readonly #services: Pick<App['services'], 'savesLive'>;
  /** Those whose saves were agreed to. */
  readonly #agreed = new WeakSet<vscode.TextDocument>();

  constructor(services: Pick<App['services'], 'savesLive'>) {
    this.#services = services;
  }

  /** Rejects with a PlainError when the user doesn't want it. Code that writes the file without a document isn't asked. */
  async ask(uri: vscode.Uri, { connectionId }: WorkflowTarget, workflow: Workflow): Promise<void> {
    const document = findDocument(uri);
    if (document === undefined || this.#agreed.has(document)) return;
    if (workflow.isDeployed === false || !this.#services.savesLive(connectionId)) return;
    const answer = await askInDialog({
      question: vscode.l10n.t('Save and deploy "{0}"?', plainLine(workflow.name, 80)),
      detail: vscode.l10n.t(
        'The workflow is deployed, and this service deploys what is saved at once. You are asked once for each document.',
      ),
      buttons: [{ label: vscode.l10n.t('Save and Deploy'), value: true }],
    });
    if (answer !== true)
      throw new PlainError(vscode.l10n.t('Nothing was saved or deployed; your edits are kept.'));
    this.#agreed.add(document);
  }
}
