// The model's ports for state and secrets, on the editor's Memento and SecretStorage.
import type * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../base/disposable.ts';

export interface MementoState {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

export function createMementoState(memento: vscode.Memento): MementoState {
  return {
    get: (key) => memento.get(key),
    set: async (key, value) => {
      await memento.update(key, value);
    },
  };
}

export interface SecretStore {
  get(connectionId: string): Promise<string | undefined>;
  set(connectionId: string, secret: string): Promise<void>;
  delete(connectionId: string): Promise<void>;
  onDidChange(listener: (connectionId: string) => void): Disposable;
}

const secretPrefix = 'workflowAutomation.apiKey.';

/** Stores one secret per connection. Fires for changes made in other windows too. */
export function createSecretStore(secrets: vscode.SecretStorage): SecretStore {
  return {
    get: async (connectionId) => secrets.get(secretPrefix + connectionId),
    set: async (connectionId, secret) => {
      await secrets.store(secretPrefix + connectionId, secret);
    },
    delete: async (connectionId) => {
      await secrets.delete(secretPrefix + connectionId);
    },
    onDidChange: (listener) => {
      const subscription = secrets.onDidChange(({ key }) => {
        if (key.startsWith(secretPrefix)) listener(key.slice(secretPrefix.length));
      });
      return toDisposable(() => {
        subscription.dispose();
      });
    },
  };
}
