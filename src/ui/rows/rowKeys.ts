// What keys do to the focused row of a view. The keybindings in package.json name the view, and the editor passes its focused row.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { commandId, type CommandName } from '../../editor/ids.ts';
import type { App } from '../app.ts';

type RowCommand = 'row.open' | 'row.execute' | 'row.rename' | 'row.delete';

/** The commands by the row's kind. A row of another kind has nothing to execute, to rename or to delete. */
const byKind: Readonly<Record<RowCommand, Readonly<Record<string, CommandName>>>> = {
  'row.open': { workflow: 'workflow.open', execution: 'execution.open', nodeRun: 'nodeRun.open' },
  'row.execute': { workflow: 'workflow.execute' },
  'row.rename': { workflow: 'workflow.rename', connection: 'connection.rename' },
  'row.delete': {
    workflow: 'workflow.delete',
    connection: 'connection.remove',
    apiKey: 'apiKey.revoke',
    secret: 'secret.delete',
  },
};

/** `otherwise`: the editor's command for rows of other kinds. */
function registerKey({ commands }: Pick<App, 'commands'>, name: RowCommand, otherwise?: string): Disposable {
  return commands.register<typeof name, undefined>(name, {
    ask: () => Promise.resolve(undefined),
    run: async (row) => {
      if (row === undefined) return;
      const command = byKind[name][row.kind];
      if (command !== undefined) await vscode.commands.executeCommand(commandId(command), row);
      else if (otherwise !== undefined) await vscode.commands.executeCommand(otherwise);
    },
  });
}

export function registerRowKeys(deps: Pick<App, 'commands'>): Disposable {
  return combine(
    registerKey(deps, 'row.open', 'list.select'),
    registerKey(deps, 'row.execute'),
    registerKey(deps, 'row.rename'),
    registerKey(deps, 'row.delete'),
  );
}
