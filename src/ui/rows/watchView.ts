import type * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { watchAttention } from '../../editor/tree/tree.ts';
import type { AutoRefresh } from '../../model/autoRefresh.ts';

/** Adds a tree view to those that are refreshed while somebody looks at them. `show` returns what it shows. */
export function watchView<Shown>(
  view: vscode.TreeView<unknown>,
  refreshing: Pick<AutoRefresh<Shown>, 'add'>,
  show: () => Shown,
): Disposable {
  const added = refreshing.add(show);
  return combine(
    added,
    watchAttention(view, (attention) => added.setAttention(attention)),
  );
}
