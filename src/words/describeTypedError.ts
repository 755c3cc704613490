// What is said of the errors of a service, a connection and the local service: what happened, why, and what helps.
import * as l10n from '@vscode/l10n';
import { plainLine } from '../base/format.ts';
import { messageOf } from '../base/reason.ts';
import { type ConnectionKind, localConnectionId } from '../domain/connection.ts';
import {
  type ConnectionError,
  isConnectionError,
  isServiceError,
  LaunchError,
  type LaunchErrorReason,
  SearchError,
  WordedError,
} from '../domain/errors.ts';
import { type ServiceTraits, serviceTraits } from '../domain/serviceTraits.ts';
import { describeRejectedToken, describeServiceError, showLog } from './describeServiceError.ts';
import type { ErrorAction, ErrorDescription } from './errorDescription.ts';
import { describeSearchError } from './searchMistakes.ts';

const setDataAside = (): ErrorAction => ({
  label: l10n.t('Archive Data…'),
  command: 'localService.setDataAside',
});

/** Describes an error that has a type; undefined of any other. now: epoch milliseconds, by default those of the system's clock. */
export function describeTypedError(error: unknown, now = Date.now()): ErrorDescription | undefined {
  if (isServiceError(error)) return describeServiceError(error, now);
  if (isConnectionError(error)) return describeConnectionError(error, now);
  if (error instanceof WordedError) return { message: error.message, actions: [] };
  if (error instanceof SearchError) return { message: describeSearchError(error.reason), actions: [] };
  if (!(error instanceof LaunchError)) return undefined;
  return {
    message: describeLaunchError(error.reason),
    actions: error.reason.kind === 'dataDamaged' ? [setDataAside(), showLog()] : [showLog()],
  };
}

function describeLaunchError(reason: LaunchErrorReason): string {
  switch (reason.kind) {
    case 'notStarted':
      return l10n.t("Couldn't start the local service: {0}", plainLine(reason.words));
    case 'dataDamaged':
      return l10n.t("The local service's data can't be read: {0}", plainLine(reason.words));
    case 'silent':
      return l10n.t("The local service started, but didn't respond within {0} s.", reason.seconds);
    case 'notEnded':
      return l10n.t("The local service didn't stop (process {0}).", reason.pid);
    case 'inUse':
      return l10n.t('Another window is using the local service. Stop it there, then try again.');
  }
}

export function describeNewerVersion(): string {
  return l10n.t(
    'The connections were stored by a newer version of this extension. Update the extension to use them.',
  );
}

function describePart(part: 'credentials' | 'query' | 'fragment'): string {
  return {
    credentials: l10n.t('a user name or password'),
    query: l10n.t('a query ("?…")'),
    fragment: l10n.t('a fragment ("#…")'),
  }[part];
}

/** The local service's connection has the same id when it's made again, so its documents work again. */
function describeRemoved(connectionId: string): ErrorDescription {
  return {
    message: l10n.t('This connection was removed.'),
    actions: [
      connectionId === localConnectionId
        ? { label: l10n.t('Start the Local Service'), command: 'localService.start' }
        : { label: l10n.t('Connect to a Service…'), command: 'connection.add' },
    ],
  };
}

function describeUnreadableSecret(secret: 'apiKey' | 'mcpToken'): string {
  return {
    apiKey: l10n.t('Enter the API key. It contains no spaces.'),
    mcpToken: l10n.t('Enter the MCP token. It contains no spaces.'),
  }[secret];
}

function describeOtherServer(expected: ConnectionKind): string {
  const { product }: ServiceTraits = serviceTraits[expected];
  return product === undefined
    ? l10n.t("The server at this URL isn't a workflow service. Check the URL and its version.")
    : l10n.t(
        "This isn't the address of an {0}. Enter the address at which its editor opens, with its path if it has one.",
        product,
      );
}

function describeConnectionError({ reason }: ConnectionError, now: number): ErrorDescription {
  const plain = (message: string): ErrorDescription => ({ message, actions: [] });
  switch (reason.kind) {
    case 'nameMissing':
      return plain(l10n.t('Enter a name for the connection.'));
    case 'baseUrlUnreadable':
      return plain(l10n.t('Enter a URL such as {0}.', reason.example));
    case 'baseUrlInsecure':
      return plain(
        l10n.t(
          'The URL must start with https://, so that the API key is never sent unencrypted. Only services on this machine can use http://.',
        ),
      );
    case 'baseUrlParts':
      return plain(l10n.t("The URL can't contain {0}.", describePart(reason.part)));
    case 'baseUrlVersionMissing':
      return plain(l10n.t('The URL must end with the version, for example /v1.'));
    case 'keyPrefix':
      return plain(
        l10n.t(
          'API keys start with "{0}" and contain no spaces. To use another prefix, change workflowAutomation.keyPrefix.',
          reason.expected,
        ),
      );
    case 'secretUnreadable':
      return plain(describeUnreadableSecret(reason.secret));
    case 'settingsUrl':
      return plain(l10n.t('The URL of the API key page must start with https://.'));
    case 'duplicate':
      return plain(l10n.t('A connection with this name and URL already exists.'));
    case 'keyRejected':
      return plain(
        l10n.t(
          'The service rejected this API key: it was revoked, has expired, or belongs to another service.',
        ),
      );
    case 'mcpTokenRejected':
      return plain(describeRejectedToken(reason.error));
    case 'mcpMissing':
      return plain(l10n.t('This service has no MCP server. Leave the token empty.'));
    case 'mcpTokenNotTaken':
      return plain(l10n.t('Services of this kind take no MCP token.'));
    case 'unverified':
      return describeServiceError(reason.error, now);
    case 'notTheService':
      return plain(describeOtherServer(reason.expected));
    case 'notStored':
      return {
        message: l10n.t("The connections can't be stored: {0}", plainLine(messageOf(reason.error))),
        actions: [showLog()],
      };
    case 'newerVersion':
      return plain(describeNewerVersion());
    case 'unknownConnection':
      return describeRemoved(reason.connectionId);
  }
}
