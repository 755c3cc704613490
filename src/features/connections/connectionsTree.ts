// The Connections view: the services this user knows and, for the local one, its API keys.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connections } from '../../model/connections/connections.ts';
import type { LocalService } from '../../model/localService.ts';
import { describeError } from '../../ui/words/describeError.ts';
import {
  connectionElement,
  type ConnectionElement,
  type ConnectionsElement,
  remoteNotes,
  renderApiKey,
  renderConnection,
  renderNote,
} from './connectionElements.ts';

export interface ConnectionsTree extends vscode.TreeDataProvider<ConnectionsElement>, Disposable {
  /** Draws the API keys again. */
  refresh(): void;
}

export function createConnectionsTree(connections: Connections, localService: LocalService): ConnectionsTree {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<ConnectionsElement | undefined>());
  const refresh = (): void => changes.fire(undefined);
  owned.add(connections.all.onDidChange(refresh));
  owned.add(connections.active.onDidChange(refresh));
  owned.add(localService.state.onDidChange(refresh));

  async function listKeys(): Promise<ConnectionsElement[]> {
    const state = localService.state.current;
    if (state.kind !== 'running') return [];
    try {
      const keys = await state.settings.listKeys();
      return keys.map((reading) => ({ invokedBy: 'person', kind: 'apiKey', keyId: reading.id, reading }));
    } catch (error) {
      return [{ invokedBy: 'person', kind: 'note', text: describeError(error, Date.now()).message }];
    }
  }

  function renderRow(element: ConnectionElement): vscode.TreeItem {
    const connection = connections.find(element.connectionId);
    if (connection === undefined) return new vscode.TreeItem('');
    return renderConnection(connection, {
      isActive: connections.active.current?.id === connection.id,
      isRunning: localService.state.current.kind === 'running',
      now: Date.now(),
    });
  }

  return {
    onDidChangeTreeData: changes.event,
    refresh,
    getTreeItem: (element) => {
      if (element.kind === 'connection') return renderRow(element);
      return element.kind === 'apiKey' ? renderApiKey(element.reading, Date.now()) : renderNote(element);
    },
    getChildren: (element) => {
      if (element === undefined) {
        return connections.all.current.map(({ id }) => connectionElement(id));
      }
      const connection = element.kind === 'connection' ? connections.find(element.connectionId) : undefined;
      if (connection === undefined) return [];
      return connection.kind === 'local' ? listKeys() : [...remoteNotes(connection)];
    },
    dispose: () => owned.dispose(),
  };
}
