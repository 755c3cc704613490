// Why: the words for every failure, once: what happened, why, and what helps.
import * as vscode from 'vscode';
import { isServiceError } from '../base/serviceError.ts';
import type { ServiceError, UnreachableCause } from '../base/serviceError.ts';
import type { CommandName } from './ids.ts';
import { plainLine } from './format.ts';

/** A failure that was worded where it arose, in the person's language. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
  readonly remedies: readonly Remedy[];
  constructor(message: string, remedies: readonly Remedy[] = []) {
    super(message);
    this.remedies = remedies;
  }
}

/** A button beside an error. */
export interface Remedy {
  readonly label: string;
  readonly command: CommandName;
}

export interface ErrorDescription {
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

function describeCause(cause: UnreachableCause): string {
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

const remedies = {
  replaceKey: (): Remedy => ({ label: vscode.l10n.t('Replace Key…'), command: 'connection.replaceKey' }),
  diagnose: (): Remedy => ({ label: vscode.l10n.t('Diagnose'), command: 'connection.diagnose' }),
  showLog: (): Remedy => ({ label: vscode.l10n.t('Show Log'), command: 'showLog' }),
};

function withReason(sentence: string, error: ServiceError): string {
  const reason = plainLine(error.message);
  return reason === '' ? sentence : `${sentence} ${vscode.l10n.t('The service says: {0}', reason)}`;
}

/** Seconds to wait, for people; never less than 1. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}

function describeServiceError(error: ServiceError, now: number): ErrorDescription {
  const { reason } = error;
  switch (reason.kind) {
    case 'keyMissing':
      return {
        message: vscode.l10n.t('This connection has no API key on this machine.'),
        remedies: [remedies.replaceKey()],
      };
    case 'keyRejected':
      return {
        message: withReason(vscode.l10n.t('The service rejected the API key.'), error),
        remedies: [remedies.replaceKey()],
      };
    case 'forbidden':
      return { message: withReason(vscode.l10n.t('The API key does not allow this.'), error), remedies: [] };
    case 'notFound':
      return { message: withReason(vscode.l10n.t('The service has no such record.'), error), remedies: [] };
    case 'notOffered':
      return { message: vscode.l10n.t('This service does not offer that operation.'), remedies: [] };
    case 'notDeployed':
      return {
        message: vscode.l10n.t('The workflow is not deployed, so it cannot be executed.'),
        remedies: [],
      };
    case 'conflict':
      return {
        message: withReason(vscode.l10n.t('The record has changed on the service meanwhile.'), error),
        remedies: [],
      };
    case 'invalid':
      return { message: describeInvalid(error), remedies: [] };
    case 'tooLarge':
      return {
        message: withReason(vscode.l10n.t('That is too large for the service.'), error),
        remedies: [],
      };
    case 'rateLimited':
      return {
        message: reason.isQuota
          ? withReason(vscode.l10n.t('The quota of this API key is used up.'), error)
          : vscode.l10n.t(
              'The limit of requests per minute is reached. Try again in {0} s.',
              secondsUntil(reason.retryAt, now),
            ),
        remedies: [],
      };
    case 'unavailable':
      return {
        message: withReason(vscode.l10n.t('The service failed (HTTP {0}).', error.status), error),
        remedies: [remedies.showLog()],
      };
    case 'unreachable':
      return {
        message: vscode.l10n.t('The service cannot be reached: {0}.', describeCause(reason.cause)),
        remedies: [remedies.diagnose()],
      };
    case 'gap':
      return { message: vscode.l10n.t('The service no longer keeps what came in between.'), remedies: [] };
    case 'unreadable':
      return {
        message: withReason(vscode.l10n.t('The answer of the service could not be understood.'), error),
        remedies: [remedies.showLog()],
      };
  }
}

function describeInvalid(error: ServiceError): string {
  const sentence = withReason(vscode.l10n.t('The service did not accept this.'), error);
  if (error.reason.kind !== 'invalid' || error.reason.details.length === 0) return sentence;
  const details = error.reason.details
    .slice(0, 3)
    .map(({ path, message }) => plainLine(`${path}: ${message}`));
  return `${sentence} ${details.join('; ')}`;
}

export function describeError(error: unknown, now: number): ErrorDescription {
  if (isServiceError(error)) return describeServiceError(error, now);
  if (error instanceof PlainError) return { message: error.message, remedies: error.remedies };
  const message = error instanceof Error ? error.message : String(error);
  return {
    message: vscode.l10n.t('Something went wrong in the extension: {0}', plainLine(message)),
    remedies: [remedies.showLog()],
  };
}
