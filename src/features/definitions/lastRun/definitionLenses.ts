// Code lenses above a definition and its nodes.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { schemes } from '../../../editor/ids.ts';
import type { OpenedDefinition, OpenedDefinitions } from './openedDefinitions.ts';
import { renderExecutionLens } from './renderExecutionLens.ts';
import { renderNodeLenses } from './renderNodeLenses.ts';
import type { Clock } from '../../../base/time.ts';

/** Ages are shown in minutes. */
const ageMs = 60_000;

function executionLens({ shown }: OpenedDefinition, now: number): readonly vscode.CodeLens[] {
  const title = renderExecutionLens(shown, now);
  if (title === undefined) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  // A lens with an empty command is plain text.
  if (shown.kind !== 'execution') return [new vscode.CodeLens(top, { title, command: '' })];
  return [
    new vscode.CodeLens(
      top,
      offerCommand('execution.openLog', shown.target, {
        title,
        tooltip: vscode.l10n.t('Open the log of this execution'),
      }),
    ),
  ];
}

function nodeLenses({ document, shown, positions }: OpenedDefinition): readonly vscode.CodeLens[] {
  if (shown.kind !== 'execution') return [];
  return renderNodeLenses(shown.nodeRuns, positions).map(({ nodeId, nodeRunKey, offset, title, tooltip }) => {
    const start = document.positionAt(offset);
    const run = nodeRunKey === null ? { nodeId } : { nodeRunKey };
    return new vscode.CodeLens(
      new vscode.Range(start, start),
      offerCommand('nodeRun.open', { ...shown.target, ...run }, { title, tooltip }),
    );
  });
}

/** Redraws every minute while a definition is open and the window is focused, because ages grow. */
function keepAges(opened: OpenedDefinitions, clock: Clock, redraw: () => void): Disposable {
  const owned = new DisposableStore();
  let timer: Disposable | undefined;
  const arm = (): void => {
    if (timer !== undefined || opened.isEmpty || !vscode.window.state.focused) return;
    timer = clock.schedule(() => {
      timer = undefined;
      redraw();
      arm();
    }, ageMs);
  };
  const disarm = (): void => {
    timer?.dispose();
    timer = undefined;
  };
  owned.add(opened.onDidChange(arm));
  owned.add(
    opened.onDidClose(() => {
      if (opened.isEmpty) disarm();
    }),
  );
  owned.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      disarm();
      if (!focused || opened.isEmpty) return;
      redraw();
      arm();
    }),
  );
  owned.add({ dispose: disarm });
  return owned;
}

export function registerDefinitionLenses(opened: OpenedDefinitions, clock: Clock): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  const redraw = (): void => changes.fire();
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: schemes.definition },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: (document) => {
          const definition = opened.find(document);
          return definition && [...executionLens(definition, clock.now()), ...nodeLenses(definition)];
        },
      },
    ),
  );
  owned.add(opened.onDidChange(redraw));
  owned.add(keepAges(opened, clock, redraw));
  return owned;
}
