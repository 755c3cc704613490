// Asks for a new connection: what kind of service it is, base URL, API key, name, and when the key expires.
import * as vscode from 'vscode';
import type { ConnectionKind } from '../../domain/connection.ts';
import { pickStep, runSteps, type PromptStep, textStep } from '../../editor/prompts/steps.ts';
import { checkBaseUrl, checkName, refuseDuplicate } from '../../model/connections/connectionChecks.ts';
import type { Connections, NewConnection } from '../../model/connections/connections.ts';
import { problemOf } from '../../ui/words/describeError.ts';
import { checkStep, firstTokenStep, type KeyDraft, keyStep, knownExpirationStep } from './keySteps.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

interface ConnectionDraft extends KeyDraft {
  /** Empty until the user has seen it. */
  name: string;
}

/** What is known before anything is asked. */
interface KnownBefore {
  /** A key that its prefix marks as one of a service. */
  readonly apiKey?: string | undefined;
  /** Is suggested; the user sees it before the key is asked for. */
  readonly baseUrl?: string | undefined;
  readonly kind?: ConnectionKind | undefined;
}

const emptyDraft = (): ConnectionDraft => ({
  kind: 'remote',
  baseUrl: '',
  apiKey: '',
  mcpToken: '',
  name: '',
  expiration: undefined,
});

/** Keeps what was typed, but the secrets, until the connection is added: Escape in one step doesn't lose the others. */
export class ConnectFlow {
  readonly #connections: Pick<Connections, 'all' | 'verifySecrets'>;
  #draft = emptyDraft();

  constructor(connections: Pick<Connections, 'all' | 'verifySecrets'>) {
    this.#connections = connections;
  }

  /**
   * Returns a connection whose secrets the service has accepted, or that the user saves anyway. Rejects with Cancelled on Escape.
   */
  async ask({ apiKey, baseUrl, kind }: KnownBefore = {}): Promise<NewConnection> {
    // Another flow may begin before this one ends.
    const draft = { ...this.#draft, apiKey: apiKey ?? '' };
    if (baseUrl !== undefined) draft.baseUrl = baseUrl;
    // Without a key the kind is asked for, so that of an earlier attempt is only a suggestion.
    const isSuggested = baseUrl === undefined && apiKey === undefined;
    draft.kind = kind ?? (isSuggested ? draft.kind : emptyDraft().kind);
    const url = this.#urlStep(draft);
    try {
      await runSteps(vscode.l10n.t('Connect to a Service'), [
        ...this.#openingSteps(draft, url, apiKey !== undefined),
        this.#nameStep(draft),
        knownExpirationStep(draft),
      ]);
      const { kind, baseUrl, name, mcpToken, expiration = 'never' } = draft;
      const token = serviceTraits[kind].takesMcpToken ? { mcpToken } : {};
      return { kind, baseUrl, name, apiKey: draft.apiKey, ...token, expiration };
    } finally {
      this.#draft = { ...draft, apiKey: '', mcpToken: '' };
    }
  }

  /** Call when the connection was added. */
  forget(): void {
    this.#draft = emptyDraft();
  }

  #openingSteps(draft: ConnectionDraft, url: PromptStep, hasKey: boolean): readonly PromptStep[] {
    if (hasKey) return [url, checkStep(this.#connections, draft, { url })];
    const [key, token] = [keyStep(draft), firstTokenStep(draft)];
    return [kindStep(draft), url, key, token, checkStep(this.#connections, draft, { url, key, token })];
  }

  #urlStep(draft: ConnectionDraft): PromptStep {
    return textStep(
      () => ({
        prompt: describeUrl(draft.kind),
        value: draft.baseUrl,
        validate: (text) => problemOf(() => checkBaseUrl(text, draft.kind)),
      }),
      (text) => {
        draft.baseUrl = text;
      },
    );
  }

  #nameStep(draft: ConnectionDraft): PromptStep {
    return textStep(
      () => ({
        prompt: vscode.l10n.t('Name of the connection'),
        value: draft.name === '' ? new URL(draft.baseUrl).hostname : draft.name,
        validate: (text) =>
          problemOf(() =>
            refuseDuplicate(this.#connections.all.current, {
              name: checkName(text),
              baseUrl: checkBaseUrl(draft.baseUrl, draft.kind),
            }),
          ),
      }),
      (text) => {
        draft.name = text;
      },
    );
  }
}

function kindStep(draft: Pick<ConnectionDraft, 'kind'>): PromptStep {
  const { product } = serviceTraits.n8n;
  return pickStep<ConnectionKind>(
    () => ({
      placeHolder: vscode.l10n.t('What do you connect to?'),
      choices: [
        {
          label: vscode.l10n.t('Workflow Service'),
          detail: vscode.l10n.t('A service with the API of the local service.'),
          value: 'remote',
        },
        {
          label: product,
          detail: vscode.l10n.t('An {0} of your own.', product),
          value: 'n8n',
        },
      ],
      value: draft.kind,
    }),
    (kind) => {
      draft.kind = kind;
    },
  );
}

/** What to enter, with an example. */
function describeUrl(kind: ConnectionKind): string {
  const { exampleUrl, ownPath } = serviceTraits[kind];
  return ownPath === undefined
    ? vscode.l10n.t('Base URL including the version, for example {0}', exampleUrl)
    : vscode.l10n.t('Address at which the editor opens, for example {0}', exampleUrl);
}
