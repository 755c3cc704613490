// What the model and the client ask of the editor: a log, stored state and secrets.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { truncateForLog, reasonOf } from '../base/reason.ts';
import { channelNames } from './ids.ts';
import { hideKeys } from './hideKeys.ts';

/** The extension's own log. Keys are redacted in every line. */
export class ExtensionLog implements Logger, Disposable {
  readonly #channel = vscode.window.createOutputChannel(channelNames.extension, { log: true });

  debug(message: string): void {
    this.#channel.debug(toLine(message));
  }

  info(message: string): void {
    this.#channel.info(toLine(message));
  }

  warn(message: string): void {
    this.#channel.warn(toLine(message));
  }

  error(message: string, cause?: unknown): void {
    this.#channel.error(toLine(cause === undefined ? message : `${message}\n${reasonOf(cause)}`));
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}

/** Truncated before it's looked through for keys, whose beginnings are found as well. */
function toLine(text: string): string {
  return hideKeys(truncateForLog(text));
}

/** The state of all windows, or of one workspace. */
export class MementoState {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get(key: string): unknown {
    return this.#memento.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.#memento.update(key, value);
  }
}

const secretPrefix = 'workflowAutomation.apiKey.';

/** Stores one secret per connection. */
export class EditorSecretStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async get(connectionId: string): Promise<string | undefined> {
    return this.#secrets.get(secretPrefix + connectionId);
  }

  async set(connectionId: string, secret: string): Promise<void> {
    await this.#secrets.store(secretPrefix + connectionId, secret);
  }

  async delete(connectionId: string): Promise<void> {
    await this.#secrets.delete(secretPrefix + connectionId);
  }

  /** Fires for changes made in other windows, too. */
  onDidChange(listener: (connectionId: string) => void): Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(secretPrefix)) listener(key.slice(secretPrefix.length));
    });
  }
}

const secretsKeyName = 'workflowAutomation.secretsKey';

/** Returns the key that the local service encrypts its secrets with. The first call makes it. */
export async function readSecretsKey(secrets: vscode.SecretStorage): Promise<string> {
  const known = await secrets.get(secretsKeyName);
  if (known !== undefined) return known;
  const key = randomBytes(32).toString('base64url');
  await secrets.store(secretsKeyName, key);
  // Another window may have made one at the same time.
  return (await secrets.get(secretsKeyName)) ?? key;
}
