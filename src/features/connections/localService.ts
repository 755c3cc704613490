// The commands that start and stop the local service. Starting it also makes its connection the active one.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { isAbortError } from '../../base/async.ts';
import type { Connection } from '../../domain/connection.ts';
import type { CommandResult } from '../../editor/commands/types.ts';
import { viewIds } from '../../editor/ids.ts';
import { confirm } from '../../editor/prompts/dialogs.ts';
import { showMessage, withProgress } from '../../editor/prompts/prompts.ts';
import { settings } from '../../editor/settings.ts';
import type { App } from '../../ui/app.ts';
import { registerReset } from './resetLocalService.ts';

type LocalServiceDeps = Pick<
  App,
  'commands' | 'connections' | 'localService' | 'workflows' | 'contextKeys' | 'localData' | 'logger'
>;

function registerStop({ commands, localService }: LocalServiceDeps): Disposable {
  return commands.registerPlain('localService.stop', async ({ isInteractive }) => {
    if (isInteractive && localService.state.current.kind === 'stopped')
      void showMessage('information', vscode.l10n.t("The local service isn't running."));
    await localService.stop();
  });
}

type Started = CommandResult<'localService.start'>;

/** `start`: starts the service again, and shows that it does. */
function registerSetDataAside(
  { commands, localService, localData }: LocalServiceDeps,
  start: () => Promise<Started>,
): Disposable {
  return commands.registerPlain('localService.setDataAside', async ({ isInteractive }) => {
    if (isInteractive)
      await confirm(
        vscode.l10n.t("Archive the local service's data?"),
        vscode.l10n.t('Archive and Start Over'),
        vscode.l10n.t(
          'Its workflows, executions and API keys are moved to another folder, and it starts with samples only. Nothing is deleted.',
        ),
      );
    await localService.stop();
    const folder = await localData.setAside();
    const started = await start();
    if (isInteractive)
      void showMessage('information', vscode.l10n.t("The local service's data is now in {0}.", folder));
    return { folder, ...started };
  });
}

/** Sets the context key by which menus offer either to start or to stop the service. */
function tellMenus({ contextKeys, localService }: LocalServiceDeps): Disposable {
  const showState = (): void =>
    contextKeys('isLocalServiceRunning', localService.state.current.kind === 'running');
  showState();
  return localService.state.onDidChange(showState);
}

export function registerLocalService(deps: LocalServiceDeps): Disposable {
  const { commands, connections, localService, workflows } = deps;
  const lifetime = new AbortController();

  async function start(signal: AbortSignal): Promise<Started> {
    const connection = await localService.start(signal);
    await connections.switchTo(connection.id);
    await workflows.refresh(signal);
    return { connectionId: connection.id, baseUrl: connection.baseUrl };
  }

  const startWithProgress = () => withProgress(vscode.l10n.t('Starting the local service…'), start);

  /** Starts the local service if its connection is the active one, so that the user doesn't have to start it in each session. */
  async function startForActive(connection: Connection | null): Promise<void> {
    if (connection?.kind !== 'local' || localService.state.current.kind !== 'stopped') return;
    try {
      await localService.start(lifetime.signal);
      if (connections.active.current?.id === connection.id) await workflows.refresh(lifetime.signal);
    } catch (error) {
      if (!isAbortError(error)) deps.logger.error('The local service could not be started.', error);
    }
  }

  if (settings.startLocalServiceOnOpen()) {
    void vscode.commands.executeCommand(`${viewIds.workflows}.focus`, { preserveFocus: true });
    void start(lifetime.signal).catch((error: unknown) => commands.present(error));
  } else {
    void startForActive(connections.active.current);
  }
  return combine(
    { dispose: () => lifetime.abort() },
    commands.registerPlain('localService.start', startWithProgress),
    registerStop(deps),
    registerSetDataAside(deps, startWithProgress),
    registerReset(deps, startWithProgress),
    tellMenus(deps),
    connections.active.onDidChange((connection) => void startForActive(connection)),
  );
}
