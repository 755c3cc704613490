// Workflows as files: linked folders in the view of source control, their files in the Explorer, and what goes between files and services.
import { combine, type Disposable, toDisposable } from '../../base/disposable.ts';
import { FileDecorations } from './decorations.ts';
import { registerFileCommands } from './fileCommands.ts';
import type { FilesDeps, WorkflowFilesDeps } from './filesDeps.ts';
import { registerLinkFolder } from './linking.ts';
import { LinkedStates } from './linkedStates.ts';
import { registerPromote } from './promoting.ts';
import { registerPull } from './pulling.ts';
import { registerPush } from './pushing.ts';
import { followRenames } from './renamedFiles.ts';
import { registerResolve } from './resolving.ts';
import { ServiceVersions } from './serviceVersions.ts';
import { FolderSourceControl } from './sourceControl.ts';

export function registerWorkflowFiles(given: WorkflowFilesDeps): Disposable {
  const states = new LinkedStates(given);
  const versions = new ServiceVersions(states, given);
  const deps: FilesDeps = { ...given, states, versions };
  void given.linkedFiles.load();
  return combine(
    states,
    versions,
    given.serviceDocuments.attach(versions),
    new FileDecorations(states),
    showSourceControls(deps),
    given.linkedFiles.attach({ find: (uri) => states.find(uri)?.file, onDidChange: states.onDidChangeFiles }),
    registerFileCommands(deps),
    registerLinkFolder(deps),
    followRenames(deps),
    combine(registerPull(deps), registerPush(deps), registerPromote(deps), registerResolve(deps)),
  );
}

/** One provider for each folder. */
function showSourceControls({ states, versions, contextKeys }: FilesDeps): Disposable {
  const shown = new Map<string, FolderSourceControl>();
  const show = (): void => {
    const folders = new Map(states.folders.map((each) => [each.folder.uri.toString(), each]));
    for (const [key, control] of shown)
      if (!folders.has(key)) {
        control.dispose();
        shown.delete(key);
      }
    for (const [key, folder] of folders)
      if (!shown.has(key)) shown.set(key, new FolderSourceControl(folder, (uri) => versions.originalOf(uri)));
    contextKeys('hasLinkedFolder', folders.size > 0);
  };
  show();
  return combine(
    toDisposable(() => {
      for (const control of shown.values()) control.dispose();
    }),
    states.onDidChangeFolders(show),
  );
}
