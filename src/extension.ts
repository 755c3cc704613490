import { join } from 'node:path';
import { commands } from 'vscode';
import type * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { once } from './base/async.ts';
import { announceConnections, connectionsFolder, hasStoredConnection } from './editor/announceConnections.ts';
import { contributedCommands, contributedIds } from './editor/commands/names.ts';
import { definitionSelector, testSelector, workflowsFileName } from './editor/ids.ts';
import { loadForDocuments, loadForFiles } from './editor/lazy/lazySurfaces.ts';
import { watchForKeys } from './editor/documents/openTexts.ts';
import { settings } from './editor/settings.ts';
import { createLaterSurfaces, createSurfaces, type LaterSurfaces } from './surfaces.ts';

/** Registers everything the editor needs at activation. The app behind it is loaded on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const owned = new DisposableStore();
  /** What watches until the app takes over. */
  const watch = owned.add(new DisposableStore());
  const load = once(async () => {
    const { startApp } = await import('./app.ts');
    const commands = await startApp(context, { ...surfaces, ...(await laterSurfaces) });
    watch.dispose();
    return commands;
  });

  const hasConnection = () => hasStoredConnection(join(context.globalStorageUri.fsPath, connectionsFolder));
  const surfaces = createSurfaces(load, hasConnection);
  const { views, ...others } = surfaces;
  surfaces.languageTools.register(
    contributedIds(context.extension.packageJSON, 'languageModelTools', 'name'),
  );
  context.subscriptions.push(
    owned,
    ...Object.values(views),
    ...Object.values(others),
    ...contributedCommands(context.extension.packageJSON).map(({ id, name }) =>
      commands.registerCommand(id, async (...args: readonly unknown[]) => (await load()).handle(name, args)),
    ),
  );
  // What needn't be there yet doesn't hold up other extensions: reading a setting alone costs as much as all of the above.
  const laterSurfaces: Promise<LaterSurfaces> = new Promise((resolve) => setImmediate(resolve)).then(() => {
    const later = createLaterSurfaces(load);
    for (const surface of Object.values(later)) owned.add(surface);
    if (settings.startLocalServiceOnOpen() || settings.listenMode() === 'always') void load();
    watch.add(watchForKeys(load));
    watch.add(loadForDocuments({ language: 'json', ...definitionSelector }, load));
    watch.add(loadForDocuments(testSelector, load));
    watch.add(announceConnections(hasConnection));
    // The second one is where Link a Folder puts it.
    watch.add(loadForFiles([workflowsFileName, `workflows/${workflowsFileName}`], load));
    return later;
  });
}
