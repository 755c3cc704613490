// All that happens at activation: the editor finds what it must find, and the app behind it is loaded with the first use.
import { commands } from 'vscode';
import type * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { once } from './base/once.ts';
import { watchForKeys } from './features/connections/keyGuard/watchForKeys.ts';
import { commandId, commandNames } from './editor/ids.ts';
import { settings } from './editor/settings.ts';
import { createSurfaces } from './surfaces.ts';

export function activate(context: vscode.ExtensionContext): void {
  /** What stands in for the app until it is loaded. */
  const watch = new DisposableStore();
  const load = once(async () => {
    const { createApp } = await import('./app.ts');
    const commands = createApp(context, surfaces);
    watch.dispose();
    return commands;
  });

  const surfaces = createSurfaces(load);
  context.subscriptions.push(
    watch,
    surfaces.openings,
    surfaces.workflows,
    surfaces.executions,
    surfaces.portalEvents,
    surfaces.connections,
    surfaces.inputFiles,
    surfaces.definitionFiles,
    surfaces.deployedDocuments,
    surfaces.executionDocuments,
    surfaces.eventDocuments,
    surfaces.presetLenses,
    ...commandNames.map((name) =>
      commands.registerCommand(commandId(name), async (value: unknown, selection: unknown) =>
        (await load()).handle(name, value, selection),
      ),
    ),
  );
  // Reading a setting costs as much as all of the above, so it does not hold up the other extensions.
  setImmediate(() => {
    if (settings.startLocalServiceOnOpen() || settings.listenMode() === 'always') void load();
    watch.add(watchForKeys(load));
  });
}
