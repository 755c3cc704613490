// Deletes the data of the local service, after saying what they are, and starts it anew.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { CommandResult } from '../../editor/commands/types.ts';
import { askInDialog } from '../../editor/prompts/dialogs.ts';
import { plainLine } from '../../editor/format.ts';
import { Cancelled } from '../../editor/prompts/prompts.ts';
import type { LocalData } from '../../model/ports.ts';
import type { App } from '../../ui/app.ts';

/** start: starts the service with its samples, and shows that it does. */
export function registerReset(
  { commands, localService, localData }: Pick<App, 'commands' | 'localService' | 'localData'>,
  start: () => Promise<CommandResult<'localService.start'>>,
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
