// Says which files are linked to workflows: to the menus, and of the one in front where it goes.
import * as vscode from 'vscode';
import { combine, type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { activeDocument } from '../../../editor/documents/documents.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { type LinkStatusDeps, registerLinkStatus } from './linkStatus.ts';

type LinksDeps = LinkStatusDeps & Pick<App, 'clock' | 'commands' | 'contextKeys'>;

export function registerLinks(deps: LinksDeps): Disposable {
  return combine(registerContext(deps), registerLinkStatus(deps), registerOpenOnService(deps));
}

function registerContext({ contextKeys, linkedFiles }: LinksDeps): Disposable {
  const owned = new DisposableStore();
  const showInFront = (): void => {
    const uri = activeDocument();
    contextKeys('isLinkedFileInFront', uri !== undefined && linkedFiles.find(uri) !== undefined);
  };
  const show = (): void => {
    // As the editor says the path of a file on this machine, and on another one.
    contextKeys(
      'linkedFiles',
      linkedFiles.uris.flatMap(({ path, fsPath }) => (path === fsPath ? [path] : [path, fsPath])),
    );
    showInFront();
  };
  owned.add(linkedFiles.onDidChange(show));
  owned.add(vscode.window.tabGroups.onDidChangeTabs(showInFront));
  owned.add(vscode.window.onDidChangeActiveTextEditor(showInFront));
  show();
  return owned;
}

/** What "Open Definition" opens where no file is linked. */
function registerOpenOnService(deps: LinksDeps): Disposable {
  return deps.commands.register('workflow.openOnService', {
    ask: () => pickWorkflow(deps),
    run: (target) => deps.commands.run('workflow.open', { ...target, isFile: false }),
  });
}
