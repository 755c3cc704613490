// The item in the status bar that tells of a failure while its log is in sight.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { withoutIcons } from '../../../editor/format.ts';
import { channelNames, commandId } from '../../../editor/ids.ts';
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

/** Shown until the next execution begins. A click opens the failed node; of several, the user chooses one. */
export class FailureItem implements Disposable {
  #item: vscode.StatusBarItem | undefined;

  /** Returns false if none of the executions failed. */
  show(endings: readonly Ending[]): boolean {
    const { text, failed } = renderNotice(endings);
    const [first, second] = failed;
    if (first === undefined) return false;
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
    return true;
  }

  hide(): void {
    this.#item?.hide();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}
