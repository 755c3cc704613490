import { readdir } from 'node:fs/promises';
import { commands } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { codeOf } from '../base/reason.ts';
import { contextKeys } from './ids.ts';

/** The name of the folder in the extension's storage that holds the connections' records. */
export const connectionsFolder = 'connections';

/** Whether a connection is stored; undefined if that isn't known. `folder`: that of the records. */
export async function hasStoredConnection(folder: string): Promise<boolean | undefined> {
  try {
    return (await readdir(folder)).some((file) => file.endsWith('.json'));
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? false : undefined;
  }
}

/** Tells menus and views whether there's a connection, until the app does: it isn't loaded before it's used. */
export function announceConnections(hasConnection: () => Promise<boolean | undefined>): Disposable {
  let isOver = false;
  const announce = async (): Promise<void> => {
    const isThere = await hasConnection();
    if (isOver || isThere === undefined) return;
    const { state, executionsState, portalEventsState } = contextKeys;
    const states = isThere ? [] : [state, executionsState, portalEventsState].map((key) => [key, 'none']);
    for (const [key, value] of [[contextKeys.hasConnection, isThere], ...states])
      void commands.executeCommand('setContext', key, value);
  };
  void announce();
  return {
    dispose: () => {
      isOver = true;
    },
  };
}
