// The code lenses of a preset file: execute the last workflow with it, or choose another.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { plainLine, withoutIcons } from '../../editor/format.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { offerCommand } from '../../editor/commands.ts';
import { isPresetFile } from './presets/presetFiles.ts';
import type { App } from '../../ui/app.ts';

export type PresetCodeLensDeps = Pick<App, 'connections' | 'presetChoices'>;

export function createPresetCodeLens({
  connections,
  presetChoices,
}: PresetCodeLensDeps): vscode.CodeLensProvider & Disposable {
  const changes = new vscode.EventEmitter<void>();
  const subscriptions = [
    presetChoices.onDidChange(() => changes.fire()),
    connections.all.onDidChange(() => changes.fire()),
  ];
  return {
    onDidChangeCodeLenses: changes.event,
    provideCodeLenses: ({ uri }) => {
      if (!isPresetFile(uri)) return [];
      const fileUri = uri.toString();
      const lens = (title: string, target: Partial<WorkflowTarget>) =>
        new vscode.CodeLens(
          new vscode.Range(0, 0, 0, 0),
          offerCommand('preset.execute', { ...target, fileUri }, { title }),
        );
      const last = presetChoices.find(fileUri);
      const isUsable = last !== undefined && connections.find(last.connectionId) !== undefined;
      const name = last === undefined ? '' : withoutIcons(plainLine(last.workflowName, 60));
      return [
        ...(isUsable
          ? [
              lens(vscode.l10n.t('$(play) Execute "{0}"', name), {
                connectionId: last.connectionId,
                workflowId: last.workflowId,
              }),
            ]
          : []),
        lens(vscode.l10n.t('$(play) Execute with…'), {}),
      ];
    },
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
      changes.dispose();
    },
  };
}
