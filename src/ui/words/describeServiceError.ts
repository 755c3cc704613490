// The words for whatever a service refuses or fails at: what happened, why, and what helps.
import * as vscode from 'vscode';
import type {
  ServiceError,
  ServiceErrorReason,
  UnreachableCause,
  UnreadableCause,
} from '../../domain/serviceError.ts';
import { plainLine } from '../../editor/format.ts';
import type { CommandName } from '../../editor/ids.ts';
import type { ErrorAction, ErrorDescription } from '../../editor/plainError.ts';

function describeUnreachable(cause: UnreachableCause): string {
  switch (cause) {
    case 'dns':
      return vscode.l10n.t('its host name could not be found (DNS)');
    case 'refused':
      return vscode.l10n.t('nothing listens at its address (connection refused)');
    case 'tls':
      return vscode.l10n.t('its certificate was not accepted (TLS)');
    case 'proxy':
      return vscode.l10n.t('the proxy did not let the request through');
    case 'timeout':
      return vscode.l10n.t('it did not answer in time');
    case 'reset':
      return vscode.l10n.t('it closed the connection');
    case 'other':
      return vscode.l10n.t('the connection failed');
  }
}

function describeUnreadable(cause: UnreadableCause): string {
  switch (cause) {
    case 'webPage':
      return vscode.l10n.t('it is a web page, as of a proxy where one has to sign in');
    case 'notJson':
      return vscode.l10n.t('it is not valid JSON');
    case 'tooDeep':
      return vscode.l10n.t('it is nested more than 200 levels deep');
    case 'incomplete':
      return vscode.l10n.t('what was asked for is not in it');
    case 'tooLarge':
      return vscode.l10n.t('it is too large');
    case 'encoded':
      return vscode.l10n.t('it is compressed, which was not asked for');
    case 'redirect':
      return vscode.l10n.t('it leads to another address, which was not followed');
  }
}

/** What failed, and what helps: the storage is the editor's, which keeps it in the keychain of the system. */
function describeSecretStorage({
  operation,
  cause,
}: ServiceErrorReason & { readonly kind: 'secretStorage' }): string {
  const sentence = {
    read: vscode.l10n.t("VS Code's secret storage didn't hand out the API key."),
    store: vscode.l10n.t("VS Code's secret storage didn't store the API key."),
    delete: vscode.l10n.t("VS Code's secret storage didn't delete the API key."),
  }[operation];
  const why = cause === 'silent' ? vscode.l10n.t("It didn't answer in time.") : '';
  const advice = vscode.l10n.t(
    'Unlock the keychain of your system and try again, or restart VS Code. On Linux, "password-store" in "Preferences: Configure Runtime Arguments" sets which keyring is used.',
  );
  return [sentence, why, advice].filter((part) => part !== '').join(' ');
}

const setting = (name: string): ErrorAction => ({ label: vscode.l10n.t('Open Setting'), setting: name });
const command = (label: string, name: CommandName): ErrorAction => ({ label, command: name });
const refresh = (): ErrorAction => command(vscode.l10n.t('Refresh'), 'workflows.refresh');

function actionsFor({ reason, status, connectionId }: ServiceError): readonly ErrorAction[] {
  const about = (label: string, name: 'connection.replaceKey' | 'connection.diagnose'): ErrorAction =>
    connectionId === null ? command(label, name) : { label, command: name, argument: { connectionId } };
  const setKey = (label: string): ErrorAction => about(label, 'connection.replaceKey');
  switch (reason.kind) {
    case 'keyMissing':
      return [setKey(vscode.l10n.t('Enter Key…'))];
    case 'secretStorage':
      return [
        ...(reason.operation === 'read' ? [setKey(vscode.l10n.t('Replace Key…'))] : []),
        command(vscode.l10n.t('Show Log'), 'showLog'),
      ];
    case 'keyRejected':
      return [
        setKey(vscode.l10n.t('Replace Key…')),
        ...(status === 0 ? [setting('workflowAutomation.keyPrefix')] : []),
      ];
    case 'forbidden':
      return [setKey(vscode.l10n.t('Replace Key…'))];
    case 'rateLimited':
      // Waiting helps where it is the minute's limit, and only there.
      return reason.isQuota ? [setKey(vscode.l10n.t('Replace Key…'))] : [];
    case 'notFound':
    case 'conflict':
    case 'gap':
      return [refresh()];
    case 'notOffered':
      return [setting('workflowAutomation.operations')];
    case 'unreachable':
      return [
        about(vscode.l10n.t('Diagnose'), 'connection.diagnose'),
        ...(reason.cause === 'proxy' ? [setting('http.proxy')] : []),
      ];
    case 'unavailable':
    case 'unreadable':
      return [command(vscode.l10n.t('Show Log'), 'showLog')];
    case 'notDeployed':
    case 'unanswered':
    case 'invalid':
    case 'tooLarge':
      return [];
  }
}

/** With the service's own reason, where an answer gave one. */
function withReason(sentence: string, error: ServiceError): string {
  const reason = error.status === 0 ? '' : plainLine(error.message);
  return reason === '' ? sentence : `${sentence} ${vscode.l10n.t('The service says: {0}', reason)}`;
}

/** Seconds to wait, for people; never less than 1. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}

function sentenceFor(error: ServiceError, now: number): string {
  const { reason } = error;
  switch (reason.kind) {
    case 'keyMissing':
      return vscode.l10n.t('The API key of this connection is not on this machine.');
    case 'secretStorage':
      return describeSecretStorage(reason);
    case 'keyRejected':
      return error.status === 0
        ? vscode.l10n.t(
            'The API key of this connection does not start as the setting "workflowAutomation.keyPrefix" says, so it was not sent.',
          )
        : withReason(vscode.l10n.t('The service rejected the API key.'), error);
    case 'forbidden':
      return withReason(vscode.l10n.t('The API key does not allow this.'), error);
    case 'notFound':
      return withReason(vscode.l10n.t('The service has no such record; it may have been deleted.'), error);
    case 'notOffered':
      return vscode.l10n.t(
        'The service does not offer this where it was looked for. If it keeps it elsewhere, the setting "workflowAutomation.operations" can say where.',
      );
    case 'notDeployed':
      return vscode.l10n.t('The workflow is not deployed, so it cannot be executed.');
    case 'conflict':
      return withReason(
        vscode.l10n.t('This does not fit what the service holds now; somebody may have changed it.'),
        error,
      );
    case 'invalid':
      return describeInvalid(error, reason.details);
    case 'tooLarge':
      return withReason(vscode.l10n.t('This is larger than the service takes.'), error);
    case 'rateLimited':
      return reason.isQuota
        ? withReason(vscode.l10n.t('The quota of this API key is used up.'), error)
        : vscode.l10n.t(
            'The limit of requests per minute is reached. Try again in {0} s.',
            secondsUntil(reason.retryAt, now),
          );
    case 'unavailable':
      return withReason(vscode.l10n.t('The service failed (HTTP {0}).', error.status), error);
    case 'unreachable':
      return vscode.l10n.t('The service cannot be reached: {0}.', describeUnreachable(reason.cause));
    case 'unanswered':
      return vscode.l10n.t("The service didn't answer. It may have started the execution.");
    case 'gap':
      return withReason(vscode.l10n.t('The service does not keep this any more.'), error);
    case 'unreadable':
      return vscode.l10n.t(
        'The answer of the service could not be understood: {0}.',
        describeUnreadable(reason.cause),
      );
  }
}

const shownDetails = 3;

/** What is wrong where; the service's own sentence as well, unless it says the same. */
function describeInvalid(
  error: ServiceError,
  details: (ServiceErrorReason & { readonly kind: 'invalid' })['details'],
): string {
  const sentence = vscode.l10n.t('The service did not accept this.');
  const isRepeated = details.length > 0 && details.every(({ message }) => error.message.includes(message));
  const faults = details
    .slice(0, shownDetails)
    .map(({ path, message }) => plainLine(path === '' ? message : `${path}: ${message}`));
  if (details.length > shownDetails) faults.push(vscode.l10n.t('{0} more', details.length - shownDetails));
  return [isRepeated ? sentence : withReason(sentence, error), faults.join('; ')].join(' ').trim();
}

export function describeServiceError(error: ServiceError, now: number): ErrorDescription {
  return { message: sentenceFor(error, now), actions: actionsFor(error) };
}
