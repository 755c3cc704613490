import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import { schemes } from '../../editor/ids.ts';

/** Ages are shown in minutes. */
const ageMs = 60_000;

const isAnyOpen = (): boolean =>
  vscode.workspace.textDocuments.some(({ uri, isClosed }) => uri.scheme === schemes.definition && !isClosed);

/** Redraws every minute while a definition is open and the window is focused, because ages grow. */
export function keepAges(clock: Clock, redraw: () => void): Disposable {
  const owned = new DisposableStore();
  let timer: Disposable | undefined;
  const disarm = (): void => {
    timer?.dispose();
    timer = undefined;
  };
  const arm = (): void => {
    if (timer !== undefined || !isAnyOpen() || !vscode.window.state.focused) return;
    timer = clock.schedule(() => {
      timer = undefined;
      if (!isAnyOpen()) return;
      redraw();
      arm();
    }, ageMs);
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(arm));
  owned.add(
    vscode.workspace.onDidCloseTextDocument(() => {
      if (!isAnyOpen()) disarm();
    }),
  );
  owned.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      disarm();
      if (!focused || !isAnyOpen()) return;
      redraw();
      arm();
    }),
  );
  owned.add({ dispose: disarm });
  arm();
  return owned;
}
