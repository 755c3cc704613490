import { readdir } from 'node:fs/promises';
import { commands } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { contextKeys } from './ids.ts';

/** The name of the folder in the extension's storage that holds the connections' records. */
export const connectionsFolder = 'connections';

/** Tells menus whether there's a connection, until the app does: it isn't loaded before it's used. `folder`: that of the records. */
export function announceConnections(folder: string): Disposable {
  let isOver = false;
  readdir(folder).then(
    (files) => {
      const hasConnection = files.some((file) => file.endsWith('.json'));
      if (!isOver) void commands.executeCommand('setContext', contextKeys.hasConnection, hasConnection);
    },
    // Nothing was stored yet.
    () => undefined,
  );
  return {
    dispose: () => {
      isOver = true;
    },
  };
}
