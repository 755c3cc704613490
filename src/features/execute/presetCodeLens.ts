// The line above a preset file: execute a workflow with it, the last one with one press.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { PresetChoices } from '../../model/inputs/presetChoices.ts';
import { plainLine, withoutIcons } from '../../platform/format.ts';
import { commandId } from '../../platform/ids.ts';
import { isPresetFile } from './presets/presetFiles.ts';

export interface PresetCodeLensParts {
  readonly connections: Connections;
  readonly presetChoices: PresetChoices;
}

export function createPresetCodeLens({
  connections,
  presetChoices,
}: PresetCodeLensParts): vscode.CodeLensProvider & Disposable {
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
      const lens = (title: string, argument: object) =>
        new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
          title,
          command: commandId('preset.execute'),
          arguments: [{ ...argument, fileUri, isTreeElement: true }],
        });
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
