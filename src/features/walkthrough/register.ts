// The walkthrough in package.json: opened once by itself where the local service starts with an empty window.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { settings } from '../../editor/settings.ts';
import type { App } from '../../ui/app.ts';

const walkthroughId = 'workflow-automation.workflow-automation#start';
/** In the global state: true once the walkthrough has opened by itself. */
const openedKey = 'walkthrough.opened';

/** True while somebody may be working in an editor. The editor's own pages, such as its welcome page, have no input. */
function isAnythingOpen(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input !== undefined));
}

/** It takes the focus, so where something is open it's left for another start. */
async function openOnce(globalState: App['globalState']): Promise<void> {
  if (globalState.get(openedKey) === true || isAnythingOpen()) return;
  await globalState.set(openedKey, true);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthroughId, false);
}

export function registerWalkthrough({
  commands,
  globalState,
}: Pick<App, 'commands' | 'globalState'>): Disposable {
  if (settings.startLocalServiceOnOpen())
    void openOnce(globalState).catch((error: unknown) => commands.present(error));
  return combine();
}
