// Why: all that happens at activation: the editor finds what it must find, and the app behind it is loaded with the first use.
import * as vscode from 'vscode';
import { commandId, commandNames } from './platform/ids.ts';
import { settings } from './platform/settings.ts';
import { createSurfaces } from './surfaces.ts';

export function activate(context: vscode.ExtensionContext): void {
  let loading: ReturnType<typeof begin> | undefined;
  const begin = async () => (await import('./app.ts')).createApp(context, surfaces);
  const load = () => (loading ??= begin());

  const surfaces = createSurfaces(load);
  context.subscriptions.push(
    surfaces.workflows,
    surfaces.executions,
    surfaces.portalEvents,
    surfaces.connections,
    surfaces.inputFiles,
    surfaces.definitionFiles,
    surfaces.executionDocuments,
    surfaces.eventDocuments,
    surfaces.presetLenses,
    ...commandNames.map((name) =>
      vscode.commands.registerCommand(commandId(name), async (value: unknown, selection: unknown) =>
        (await load()).run(name, value, selection),
      ),
    ),
  );
  // Reading a setting costs as much as all of the above, so it does not hold up the other extensions.
  setImmediate(() => {
    if (settings.startLocalServiceOnOpen() || settings.listenMode() === 'always') void load();
  });
}
