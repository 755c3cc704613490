// The commands that start and stop the local service. Starting it also makes its connection the active one.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { isAbortError } from '../../base/async.ts';
import type { Connection } from '../../domain/connection.ts';
import type { CommandResult } from '../../editor/commands/types.ts';
import { viewIds } from '../../editor/ids.ts';
import { askInDialog, confirm } from '../../editor/prompts/dialogs.ts';
import { Cancelled, showMessage, withProgress } from '../../editor/prompts/prompts.ts';
import { settings } from '../../editor/settings.ts';
import type { App } from '../../ui/app.ts';
import { plainLine } from '../../base/format.ts';
import type { LocalData } from '../../model/ports.ts';

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
function updateMenus({ contextKeys, localService }: LocalServiceDeps): Disposable {
  const update = (): void =>
    contextKeys('isLocalServiceRunning', localService.state.current.kind === 'running');
  update();
  return localService.state.onDidChange(update);
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
    updateMenus(deps),
    connections.active.onDidChange((connection) => void startForActive(connection)),
  );
}

/** start: starts the service with its samples, and shows that it does. */
function registerReset(
  { commands, localService, localData }: LocalServiceDeps,
  start: () => Promise<Started>,
): Disposable {
  return commands.registerPlain('localService.reset', async ({ isInteractive }) => {
    const isStarted = isInteractive ? await askHow(localData) : true;
    await localService.stop();
    await localData.delete();
    return isStarted ? start() : undefined;
  });
}

/** Returns whether the service is started afterwards. Rejects with Cancelled when nothing is to be deleted. */
async function askHow(localData: LocalData): Promise<boolean> {
  const counts = await localData.count();
  const lines = [
    counts === undefined
      ? vscode.l10n.t('This deletes its workflows, executions and API keys.')
      : vscode.l10n.t(
          'This deletes all its data. Workflows: {0}, executions: {1}, API keys: {2}.',
          counts.workflows,
          counts.executions,
          counts.apiKeys,
        ),
    vscode.l10n.t('Folder: {0}', plainLine(localData.folder, 500)),
    vscode.l10n.t("The service stops in all windows. You can't undo this."),
  ];
  const isStarted = await askInDialog({
    question: vscode.l10n.t('Reset the local service?'),
    detail: lines.join('\n\n'),
    buttons: [
      { label: vscode.l10n.t('Delete and Start with Samples'), value: true },
      { label: vscode.l10n.t('Delete Only'), value: false },
    ],
  });
  if (isStarted === undefined) throw new Cancelled();
  return isStarted;
}
