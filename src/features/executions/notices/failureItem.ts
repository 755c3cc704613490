// The item in the status bar that shows a failure while its log is in sight.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { withoutIcons } from '../../../base/format.ts';
import { channelNames } from '../../../editor/ids.ts';
import { commandId } from '../../../editor/commands/names.ts';
import { executionAddress } from '../../../ui/addresses.ts';
import type { DefinitionTargets } from '../../../ui/definitionTargets.ts';
import { type Ending, renderNotice } from './renderNotice.ts';

/** True while the Workflow Logs channel is visible. The editor shows a channel as a document whose path ends in its name. */
export function isLogInSight(): boolean {
  return findLogEditor() !== undefined;
}

/** The editor that shows the log channel; undefined while it's out of sight. */
export function findLogEditor(): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(
    ({ document: { uri } }) => uri.scheme === 'output' && uri.path.endsWith(channelNames.logs),
  );
}

/** True for a document of the execution, and for the definition that it's shown on. */
function shows(
  targets: DefinitionTargets,
  uri: vscode.Uri,
  { target, execution: { workflowId } }: Ending,
): boolean {
  const { connectionId, executionId } = target;
  const shown = executionAddress(uri)?.target;
  if (shown !== undefined) return shown.connectionId === connectionId && shown.executionId === executionId;
  return workflowId !== null && targets.isOf(uri, { connectionId, workflowId });
}

/**
 * Shown until the user has looked at what failed, or the next execution begins. A click opens the failed node; of several, the user
 * chooses one.
 */
export class FailureItem implements Disposable {
  readonly #targets: DefinitionTargets;
  readonly #owned = new DisposableStore();
  #item: vscode.StatusBarItem | undefined;
  #failed: readonly Ending[] = [];

  constructor(targets: DefinitionTargets) {
    this.#targets = targets;
    const { window } = vscode;
    this.#owned.add(
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor) this.#see(editor.document.uri);
      }),
    );
    // The document may have been in front before.
    this.#owned.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.#see(textEditor.document.uri)),
    );
  }

  /** Adds those that failed to those that weren't seen yet. Returns false if none of the executions failed. */
  show(endings: readonly Ending[]): boolean {
    const { failed } = renderNotice(endings);
    if (failed.length > 0) this.#draw([...this.#failed, ...failed]);
    return failed.length > 0;
  }

  hide(): void {
    this.#draw([]);
  }

  dispose(): void {
    this.#item?.dispose();
    this.#owned.dispose();
  }

  #see(uri: vscode.Uri): void {
    const left = this.#failed.filter((ending) => !shows(this.#targets, uri, ending));
    if (left.length < this.#failed.length) this.#draw(left);
  }

  #draw(failed: readonly Ending[]): void {
    this.#failed = failed;
    const [first, second] = failed;
    if (first === undefined) {
      this.#item?.hide();
      return;
    }
    const { text } = renderNotice(failed);
    const item = (this.#item ??= vscode.window.createStatusBarItem(
      'workflowAutomation.failure',
      vscode.StatusBarAlignment.Left,
    ));
    const title = vscode.l10n.t('Open Failed Node');
    item.name = vscode.l10n.t('Failed Execution');
    item.text = `$(error) ${withoutIcons(
      second === undefined
        ? vscode.l10n.t('{0} failed', first.name)
        : vscode.l10n.t('{0} executions failed', failed.length),
    )}`;
    item.tooltip = `${text}\n${title}`;
    item.accessibilityInformation = { label: `${text} ${title}`, role: 'button' };
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
    item.command =
      second === undefined
        ? offerCommand('execution.openFailedNode', first.target, { title })
        : commandId('execution.openFailedNode');
    item.show();
  }
}
