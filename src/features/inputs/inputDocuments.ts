// Opens input documents and puts text into them without losing unsaved text.
import * as vscode from 'vscode';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { schemes } from '../../editor/ids.ts';
import { choose } from '../../editor/prompts.ts';
import { replaceText } from '../../editor/documents.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { connectionName } from '../../ui/words/names.ts';
import { inputTarget, inputUri } from '../../ui/addresses.ts';

export type InputDocumentsDeps = Pick<App, 'workflows' | 'connections' | 'inputFiles' | 'clock'>;

export interface InputDocuments {
  /** Shows the input document of a workflow. */
  open(target: WorkflowTarget): Promise<vscode.TextDocument>;
  /**
   * Shows the input document with this text, as an edit that can be undone. If the document has unsaved text, asks the user
   * first; code gets an error.
   */
  put(target: WorkflowTarget, text: string, isInteractive: boolean): Promise<vscode.TextDocument>;
  /** The input document in the active editor. */
  active(): vscode.Uri | undefined;
  /** Returns the workflow of the active input document, or else one that the user chooses. */
  askTarget(): Promise<WorkflowTarget>;
}

/** Returns the workflow's open document. Its URI may contain earlier names. */
function findOpen({ connectionId, workflowId }: WorkflowTarget): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const open = inputTarget(uri);
    return !isClosed && open?.connectionId === connectionId && open.workflowId === workflowId;
  });
}

export function createInputDocuments(deps: InputDocumentsDeps): InputDocuments {
  /** The texts that were put into documents. The user didn't write them, so they may be replaced without a question. */
  const put = new WeakMap<vscode.TextDocument, string>();

  async function openNew(target: WorkflowTarget): Promise<vscode.TextDocument> {
    const workflow = deps.workflows.find(target) ?? (await deps.workflows.read(target));
    const folder = connectionName(deps.connections, target.connectionId);
    return deps.inputFiles.open(inputUri(target, folder, workflow.name));
  }

  async function open(target: WorkflowTarget): Promise<vscode.TextDocument> {
    const document = findOpen(target) ?? (await openNew(target));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  const active = (): vscode.Uri | undefined => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri?.scheme === schemes.input ? uri : undefined;
  };

  return Object.freeze<InputDocuments>({
    open,
    active,
    async put(target, text, isInteractive) {
      const document = await open(target);
      const current = document.getText();
      if (current === text) return document;
      const isUnsaved = document.isDirty && put.get(document) !== current;
      if (isUnsaved && !isInteractive)
        throw new PlainError(vscode.l10n.t('The input document has a text that was not saved. It was kept.'));
      if (isUnsaved && !(await mayReplace())) return document;
      await replaceText(document, text);
      put.set(document, document.getText());
      return document;
    },
    async askTarget() {
      const uri = active();
      return (uri && inputTarget(uri)) ?? pickWorkflow(deps);
    },
  });
}

function mayReplace(): Promise<boolean> {
  return choose(vscode.l10n.t('The input document has a text that was not saved.'), [
    {
      icon: 'replace',
      label: vscode.l10n.t('Replace the Text'),
      detail: vscode.l10n.t('Undo brings it back.'),
      value: true,
    },
    { icon: 'check', label: vscode.l10n.t('Keep It'), value: false },
  ]);
}
