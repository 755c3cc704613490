// Asks for a new connection: base URL, API key, name, and when the key expires.
import * as vscode from 'vscode';
import { runSteps, textStep } from '../../editor/steps.ts';
import { checkBaseUrl, checkName, refuseDuplicate } from '../../model/connections/connectionChecks.ts';
import type { Connections, NewConnection } from '../../model/connections/connections.ts';
import { problemOf } from '../../ui/words/describeError.ts';
import { checkStep, type KeyDraft, keyStep, knownExpirationStep } from './keySteps.ts';

interface ConnectionDraft extends KeyDraft {
  /** Empty until the user has seen it. */
  name: string;
}

const emptyDraft = (): ConnectionDraft => ({ baseUrl: '', apiKey: '', name: '', expiration: undefined });

/** Keeps what was typed, but the key, until the connection is added: Escape in one step doesn't lose the others. */
export class ConnectFlow {
  readonly #connections: Pick<Connections, 'all' | 'verifyKey'>;
  #draft = emptyDraft();

  constructor(connections: Pick<Connections, 'all' | 'verifyKey'>) {
    this.#connections = connections;
  }

  /**
   * Returns a connection whose key the service has accepted, or that the user saves anyway. apiKey: a key that's there already.
   * Rejects with Cancelled on Escape.
   */
  async ask(apiKey?: string): Promise<NewConnection> {
    const draft = this.#draft;
    draft.apiKey = apiKey ?? '';
    const url = this.#urlStep(draft);
    const key = apiKey === undefined ? keyStep(draft) : undefined;
    const corrections = key === undefined ? { url } : { url, key };
    try {
      await runSteps(vscode.l10n.t('Connect to a Service'), [
        url,
        ...(key === undefined ? [] : [key]),
        checkStep(this.#connections, 'remote', draft, corrections),
        this.#nameStep(draft),
        knownExpirationStep(draft),
      ]);
      const { baseUrl, name, expiration = 'never' } = draft;
      return { baseUrl, name, apiKey: draft.apiKey, expiration };
    } finally {
      draft.apiKey = '';
    }
  }

  /** Call when the connection was added. */
  forget(): void {
    this.#draft = emptyDraft();
  }

  #urlStep(draft: ConnectionDraft) {
    return textStep(
      () => ({
        prompt: vscode.l10n.t('Base URL including the version, for example https://example.com/api/v1'),
        value: draft.baseUrl,
        validate: (text) => problemOf(() => checkBaseUrl(text)),
      }),
      (text) => {
        draft.baseUrl = text;
      },
    );
  }

  #nameStep(draft: ConnectionDraft) {
    return textStep(
      () => ({
        prompt: vscode.l10n.t('Name of the connection'),
        value: draft.name === '' ? new URL(draft.baseUrl).hostname : draft.name,
        validate: (text) =>
          problemOf(() =>
            refuseDuplicate(this.#connections.all.current, {
              name: checkName(text),
              baseUrl: checkBaseUrl(draft.baseUrl),
            }),
          ),
      }),
      (text) => {
        draft.name = text;
      },
    );
  }
}
