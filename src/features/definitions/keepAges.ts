import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import type { AgedView, Ages } from '../../editor/tree/ages.ts';
import { schemes } from '../../editor/ids.ts';

/** Calls back when the ages on the screen move on, while a definition is in sight and the window is focused. */
export function keepAges(ages: Ages, redraw: () => void): Disposable {
  const view: AgedView = {
    tick: (isOfAll) => {
      if (isOfAll) redraw();
      return false;
    },
  };
  const added = ages.add(view);
  const attend = (): void => {
    const isInSight = vscode.window.visibleTextEditors.some(
      ({ document }) => document.uri.scheme === schemes.definition,
    );
    ages.setLookedAt(view, isInSight && vscode.window.state.focused);
  };
  attend();
  return combine(
    vscode.window.onDidChangeVisibleTextEditors(attend),
    vscode.window.onDidChangeWindowState(attend),
    added,
  );
}
