import type * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { ListTree, type ListTreeView, type TreeSource } from '../../editor/tree/tree.ts';
import { problemElement, type TreeRow } from '../../editor/tree/treeElements.ts';
import type { LocalServiceState } from '../../model/localService.ts';
import type { LocalData } from '../../model/ports.ts';
import type { App } from '../../ui/app.ts';
import { describeError } from '../../ui/words/describeError.ts';
import {
  apiKeyElement,
  connectionElement,
  type ConnectionsElement,
  hintElements,
  renderApiKey,
  renderConnection,
  renderHint,
  renderSecret,
  secretElement,
} from './connectionRows.ts';
import type { Observable } from '../../base/event.ts';

type Settings = Extract<LocalServiceState, { readonly kind: 'running' }>['settings'];

/** Whether the keys and secrets of the local service can be listed. */
export type KeyState =
  | { readonly kind: 'stopped' | 'starting' }
  | { readonly kind: 'running'; readonly settings: Pick<Settings, 'listKeys' | 'listSecrets'> };

interface ConnectionsTreeDeps extends Pick<App, 'connections' | 'clock' | 'contextKeys' | 'ages'> {
  readonly connectionTroubles: Pick<App['connectionTroubles'], 'find' | 'onDidChange'>;
  readonly localData: Pick<LocalData, 'folder'>;
  readonly localService: { readonly state: Observable<KeyState> };
}

/** The connections and, below the local one, its API keys and secrets. */
export function createConnectionsTree(
  view: ListTreeView,
  deps: ConnectionsTreeDeps,
): ListTree<ConnectionsElement> {
  return new ListTree(view, new ConnectionsSource(deps), deps);
}

class ConnectionsSource implements TreeSource<ConnectionsElement> {
  readonly #deps: ConnectionsTreeDeps;

  constructor(deps: ConnectionsTreeDeps) {
    this.#deps = deps;
  }

  children(
    parent: ConnectionsElement | undefined,
  ): readonly TreeRow<ConnectionsElement>[] | Promise<readonly TreeRow<ConnectionsElement>[]> {
    const { connections } = this.#deps;
    if (parent === undefined) return connections.all.current.map(({ id }) => connectionElement(id));
    const connection = parent.kind === 'connection' ? connections.find(parent.connectionId) : undefined;
    if (connection === undefined) return [];
    return connection.kind === 'local' ? this.#keysAndSecrets(parent.key) : hintElements(connection);
  }

  render(element: ConnectionsElement, now: number): vscode.TreeItem | undefined {
    switch (element.kind) {
      case 'connection': {
        const { connections, connectionTroubles, localData, localService } = this.#deps;
        const connection = connections.find(element.connectionId);
        const isActive = connections.active.current?.id === element.connectionId;
        const { kind } = localService.state.current;
        const [isRunning, isStarting] = [kind === 'running', kind === 'starting'];
        const trouble = connectionTroubles.find(element.connectionId);
        const look = { isActive, isRunning, isStarting, trouble, dataFolder: localData.folder, now };
        return connection && renderConnection(connection, look);
      }
      case 'apiKey':
        return renderApiKey(element.apiKey, now);
      case 'secret':
        return renderSecret(element.secret, now);
      case 'hint':
        return renderHint(element);
    }
  }

  watch(tree: ListTree<ConnectionsElement>): Disposable {
    const { connections, connectionTroubles, localService } = this.#deps;
    const redrawAll = (): void => tree.redrawAll();
    return combine(
      connections.all.onDidChange(redrawAll),
      connectionTroubles.onDidChange((connectionId) => tree.redrawChanged(new Set([connectionId]))),
      connections.active.onDidChange(redrawAll),
      localService.state.onDidChange(redrawAll),
    );
  }

  async #keysAndSecrets(owner: string): Promise<readonly TreeRow<ConnectionsElement>[]> {
    const { localService, clock } = this.#deps;
    const state = localService.state.current;
    if (state.kind !== 'running') return [];
    try {
      const [keys, secrets] = await Promise.all([state.settings.listKeys(), state.settings.listSecrets()]);
      return [...keys.map(apiKeyElement), ...secrets.map(secretElement)];
    } catch (error) {
      return [problemElement(owner, describeError(error, clock.now()).message)];
    }
  }
}
