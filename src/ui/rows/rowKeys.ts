// What keys do to the focused row of a view. The keybindings in package.json name the view, and the editor passes its focused row.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { commandId, type CommandName } from '../../editor/commands/names.ts';
import type { LazyTree } from '../../editor/lazy/lazyTree.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import type { App } from '../app.ts';

type RowCommand = 'row.open' | 'row.execute' | 'row.rename' | 'row.delete';

/** The commands by the row's kind. A row of another kind has nothing to execute, to rename or to delete. */
const byKind: Readonly<Record<RowCommand, Readonly<Record<string, CommandName>>>> = {
  'row.open': {
    workflow: 'workflow.open',
    execution: 'execution.open',
    nodeRun: 'nodeRun.open',
    foundPlace: 'execution.openFound',
    savedSearch: 'savedSearch.run',
  },
  'row.execute': { workflow: 'workflow.execute' },
  'row.rename': { workflow: 'workflow.rename', connection: 'connection.rename' },
  'row.delete': {
    savedSearch: 'savedSearch.remove',
    workflow: 'workflow.delete',
    connection: 'connection.remove',
    apiKey: 'apiKey.revoke',
    secret: 'secret.delete',
  },
};

/** The views are those in which several rows can be selected. */
type RowKeysDeps = Pick<App, 'commands'> & {
  readonly views: Readonly<
    Record<'workflows' | 'executions', { readonly view: Pick<LazyTree['view'], 'selection'> }>
  >;
};

/** What a menu passes beside the row: all selected rows, if the row is one of them. */
function selectedWith({ views }: RowKeysDeps, key: string): readonly (readonly RowElement[])[] {
  const selections = [views.workflows, views.executions].map(({ view }) => view.selection);
  return selections.filter((selection) => selection.some((row) => row.key === key)).slice(0, 1);
}

/** `otherwise`: the editor's command for rows of other kinds. */
function registerKey(deps: RowKeysDeps, name: RowCommand, otherwise?: string): Disposable {
  return deps.commands.register<typeof name, undefined>(name, {
    ask: () => Promise.resolve(undefined),
    run: async (row) => {
      if (row === undefined) return;
      const command = (name === 'row.open' ? row.opens : undefined) ?? byKind[name][row.kind];
      if (command !== undefined)
        await vscode.commands.executeCommand(commandId(command), row, ...selectedWith(deps, row.key));
      else if (otherwise !== undefined) await vscode.commands.executeCommand(otherwise);
    },
  });
}

export function registerRowKeys(deps: RowKeysDeps): Disposable {
  return combine(
    registerKey(deps, 'row.open', 'list.select'),
    registerKey(deps, 'row.execute'),
    registerKey(deps, 'row.rename'),
    registerKey(deps, 'row.delete'),
  );
}
