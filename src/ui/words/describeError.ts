import * as vscode from 'vscode';
import { plainLine } from '../../editor/format.ts';
import { type ErrorAction, type ErrorDescription, PlainError } from '../../editor/plainError.ts';
import { describeRejectedToken, describeServiceError } from './describeServiceError.ts';
import { isAbortError } from '../../base/async.ts';
import { type ConnectionKind, localConnectionId } from '../../domain/connection.ts';
import {
  type ConnectionError,
  isConnectionError,
  isServiceError,
  LaunchError,
  type LaunchErrorReason,
} from '../../domain/errors.ts';
import { type ServiceTraits, serviceTraits } from '../../domain/serviceTraits.ts';

const showLog = (): ErrorAction => ({ label: vscode.l10n.t('Show Log'), command: 'showLog' });
const setDataAside = (): ErrorAction => ({
  label: vscode.l10n.t('Archive Data…'),
  command: 'localService.setDataAside',
});

/** Returns the error that code gets for one. It names the right that the key lacks, as the message does, though the service says nothing of it. */
export function forCode(error: unknown): unknown {
  const isOfRight =
    isServiceError(error) && error.reason.kind === 'forbidden' && error.reason.right !== undefined;
  return isOfRight ? error.withMessage(describeError(error).message) : error;
}

/** Describes any error: what happened, why, and what helps. now: epoch milliseconds, by default those of the system's clock. */
export function describeError(error: unknown, now = Date.now()): ErrorDescription {
  if (isServiceError(error)) return describeServiceError(error, now);
  if (isConnectionError(error)) return describeConnectionError(error, now);
  if (error instanceof PlainError) {
    const { message, actions, kind } = error;
    return { message, actions, kind };
  }
  if (error instanceof LaunchError)
    return {
      message: describeLaunchError(error.reason),
      actions: error.reason.kind === 'dataDamaged' ? [setDataAside(), showLog()] : [showLog()],
    };
  // Removes the class name that the editor puts in front of system errors.
  const words = plainLine(error instanceof Error ? error.message : String(error)).replace(/^Error: /, '');
  const message =
    error instanceof vscode.FileSystemError
      ? vscode.l10n.t("Couldn't read or write a file: {0}", words)
      : vscode.l10n.t('Something went wrong in the extension: {0}', words);
  return { message, actions: [showLog()] };
}

/** Returns an error with the described message, for places where the editor shows any thrown error. */
export function toUserError(error: unknown): Error {
  if (error instanceof vscode.FileSystemError || (error instanceof Error && isAbortError(error)))
    return error;
  const { message, actions } = describeError(error);
  return new PlainError(message, actions, { cause: error });
}

/** Returns the message of the error that `check` throws; undefined if it doesn't. check: throws a ConnectionError. */
export function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return describeError(error).message;
  }
}

function describeLaunchError(reason: LaunchErrorReason): string {
  switch (reason.kind) {
    case 'notStarted':
      return vscode.l10n.t("Couldn't start the local service: {0}", plainLine(reason.words));
    case 'dataDamaged':
      return vscode.l10n.t("The local service's data can't be read: {0}", plainLine(reason.words));
    case 'silent':
      return vscode.l10n.t("The local service started, but didn't respond within {0} s.", reason.seconds);
    case 'notEnded':
      return vscode.l10n.t("The local service didn't stop (process {0}).", reason.pid);
    case 'inUse':
      return vscode.l10n.t('Another window is using the local service. Stop it there, then try again.');
  }
}

export function describeNewerVersion(): string {
  return vscode.l10n.t(
    'The connections were stored by a newer version of this extension. Update the extension to use them.',
  );
}

function describePart(part: 'credentials' | 'query' | 'fragment'): string {
  switch (part) {
    case 'credentials':
      return vscode.l10n.t('a user name or password');
    case 'query':
      return vscode.l10n.t('a query ("?…")');
    case 'fragment':
      return vscode.l10n.t('a fragment ("#…")');
  }
}

/** The local service's connection has the same id when it's made again, so its documents work again. */
function describeRemoved(connectionId: string): ErrorDescription {
  return {
    message: vscode.l10n.t('This connection was removed.'),
    actions: [
      connectionId === localConnectionId
        ? { label: vscode.l10n.t('Start the Local Service'), command: 'localService.start' }
        : { label: vscode.l10n.t('Connect to a Service…'), command: 'connection.add' },
    ],
  };
}

function describeUnreadableSecret(secret: 'apiKey' | 'mcpToken'): string {
  return {
    apiKey: vscode.l10n.t('Enter the API key. It contains no spaces.'),
    mcpToken: vscode.l10n.t('Enter the MCP token. It contains no spaces.'),
  }[secret];
}

function describeOtherServer(expected: ConnectionKind): string {
  const { product }: ServiceTraits = serviceTraits[expected];
  return product === undefined
    ? vscode.l10n.t("The server at this URL isn't a workflow service. Check the URL and its version.")
    : vscode.l10n.t(
        "This isn't the address of an {0}. Enter the address at which its editor opens, with its path if it has one.",
        product,
      );
}

function describeConnectionError({ reason }: ConnectionError, now: number): ErrorDescription {
  const plain = (message: string): ErrorDescription => ({ message, actions: [] });
  switch (reason.kind) {
    case 'nameMissing':
      return plain(vscode.l10n.t('Enter a name for the connection.'));
    case 'baseUrlUnreadable':
      return plain(vscode.l10n.t('Enter a URL such as {0}.', reason.example));
    case 'baseUrlInsecure':
      return plain(
        vscode.l10n.t(
          'The URL must start with https://, so that the API key is never sent unencrypted. Only services on this machine can use http://.',
        ),
      );
    case 'baseUrlParts':
      return plain(vscode.l10n.t("The URL can't contain {0}.", describePart(reason.part)));
    case 'baseUrlVersionMissing':
      return plain(vscode.l10n.t('The URL must end with the version, for example /v1.'));
    case 'keyPrefix':
      return plain(
        vscode.l10n.t(
          'API keys start with "{0}" and contain no spaces. To use another prefix, change workflowAutomation.keyPrefix.',
          reason.expected,
        ),
      );
    case 'secretUnreadable':
      return plain(describeUnreadableSecret(reason.secret));
    case 'settingsUrl':
      return plain(vscode.l10n.t('The URL of the API key page must start with https://.'));
    case 'duplicate':
      return plain(vscode.l10n.t('A connection with this name and URL already exists.'));
    case 'keyRejected':
      return plain(
        vscode.l10n.t(
          'The service rejected this API key: it was revoked, has expired, or belongs to another service.',
        ),
      );
    case 'mcpTokenRejected':
      return plain(describeRejectedToken(reason.error));
    case 'mcpMissing':
      return plain(vscode.l10n.t('This service has no MCP server. Leave the token empty.'));
    case 'mcpTokenNotTaken':
      return plain(vscode.l10n.t('Services of this kind take no MCP token.'));
    case 'unverified':
      return describeServiceError(reason.error, now);
    case 'notTheService':
      return plain(describeOtherServer(reason.expected));
    case 'notStored':
      return {
        message: vscode.l10n.t(
          "The connections can't be stored: {0}",
          plainLine(reason.error instanceof Error ? reason.error.message : String(reason.error)),
        ),
        actions: [showLog()],
      };
    case 'newerVersion':
      return plain(describeNewerVersion());
    case 'unknownConnection':
      return describeRemoved(reason.connectionId);
  }
}
