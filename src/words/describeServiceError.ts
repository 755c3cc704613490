import * as l10n from '@vscode/l10n';
import { type DefinitionFormat, definitionFormats } from '../domain/definitionFormat.ts';
import {
  type Impossibility,
  keyFaultOf,
  type ServiceError,
  type ServiceErrorReason,
  type UnreachableCause,
  type UnreadableCause,
} from '../domain/errors.ts';
import { plainLine } from '../base/format.ts';
import type { ErrorAction, ErrorDescription } from './errorDescription.ts';
import { describeMissingRights } from './keyRights.ts';
import { describeNotStartable, isTokenMissing } from './notStartable.ts';
import { secondsUntil } from './time.ts';

type Kind = ServiceErrorReason['kind'];
type Reasons = { readonly [K in Kind]: Extract<ServiceErrorReason, { readonly kind: K }> };

/** Why a service, or a proxy, can't be reached. */
export function describeUnreachable(cause: UnreachableCause): string {
  return {
    dns: l10n.t('host not found (DNS)'),
    refused: l10n.t('connection refused'),
    tls: l10n.t("the certificate isn't trusted (TLS)"),
    proxy: l10n.t('the proxy refused the request'),
    timeout: l10n.t('timeout'),
    reset: l10n.t('the connection was closed'),
    other: l10n.t('the connection failed'),
  }[cause];
}

/** The same in a word or two, for places with little room. */
export function shortCause(cause: UnreachableCause): string {
  return {
    dns: l10n.t('host not found'),
    refused: l10n.t('connection refused'),
    tls: l10n.t('certificate not trusted'),
    proxy: l10n.t('refused by the proxy'),
    timeout: l10n.t('timeout'),
    reset: l10n.t('connection closed'),
    other: l10n.t('connection failed'),
  }[cause];
}

/** What is wrong with a connection, for its row. */
export function describeTrouble(error: ServiceError): string {
  const { reason, status } = error;
  switch (reason.kind) {
    case 'keyMissing':
      return l10n.t('no key on this machine');
    case 'keyRejected':
      return {
        revoked: l10n.t('key revoked'),
        expired: l10n.t('key expired'),
        unknown: l10n.t('key rejected'),
      }[keyFaultOf(error)];
    case 'unreachable':
      return l10n.t("can't be reached: {0}", shortCause(reason.cause));
    case 'unavailable':
      return l10n.t('failing (HTTP {0})', status);
    default:
      return l10n.t('not answering as expected');
  }
}

function describeUnreadable(cause: UnreadableCause): string {
  return {
    webPage: l10n.t("got a web page, perhaps a proxy's sign-in page"),
    notJson: l10n.t('not valid JSON'),
    tooDeep: l10n.t('more than 200 levels deep'),
    incomplete: l10n.t('data is missing'),
    tooLarge: l10n.t('too large'),
    notText: l10n.t("it isn't text"),
    encoded: l10n.t('got a compressed response'),
    redirect: l10n.t('redirected to another address'),
  }[cause];
}

function describeImpossibility(because: Impossibility): string {
  return {
    ended: l10n.t("The execution has already ended, so it can't be cancelled."),
    notEnded: l10n.t("The execution hasn't ended, so it can't be retried. Cancel it, or wait for its end."),
    completed: l10n.t('The execution completed, so no node failed. Choose a node, and "Retry from Here".'),
    nodeNotRun: l10n.t("The node didn't run in this execution. Choose a node that ran."),
  }[because];
}

/** What failed, and what helps. The editor stores secrets in the system's keychain. */
function describeSecretStorage({ operation, cause }: Reasons['secretStorage']): string {
  const sentence = {
    read: l10n.t("VS Code's secret storage didn't return the API key."),
    store: l10n.t("VS Code's secret storage didn't store the API key."),
    delete: l10n.t("VS Code's secret storage didn't delete the API key."),
  }[operation];
  const why = cause === 'silent' ? l10n.t("It didn't respond in time.") : '';
  const advice = l10n.t(
    'Unlock the keychain of your system and try again, or restart VS Code. On Linux, "password-store" in "Preferences: Configure Runtime Arguments" sets which keyring is used.',
  );
  return [sentence, why, advice].filter((part) => part !== '').join(' ');
}

/** Adds the service's own message, if it responded with one. */
function withReason(sentence: string, error: ServiceError): string {
  const reason = error.status === 0 ? '' : plainLine(error.message);
  return reason === '' ? sentence : `${sentence} ${l10n.t('The service says: {0}', reason)}`;
}

const shownDetails = 3;

/** The invalid parts, and the service's own message unless it repeats them. */
function describeInvalid(error: ServiceError, { details }: Reasons['invalid']): string {
  const sentence = l10n.t("The service didn't accept this.");
  const isRepeated = details.length > 0 && details.every(({ message }) => error.message.includes(message));
  const faults = details
    .slice(0, shownDetails)
    .map(({ path, message }) => plainLine(path === '' ? message : `${path}: ${message}`));
  if (details.length > shownDetails) faults.push(l10n.t('{0} more', details.length - shownDetails));
  return [isRepeated ? sentence : withReason(sentence, error), faults.join('; ')].join(' ').trim();
}

function describeOtherFormat(expected: DefinitionFormat): string {
  const { product } = definitionFormats[expected];
  return product === undefined
    ? l10n.t(
        'This is a workflow of {0}. Use a connection to an {0} for it. Nothing was sent.',
        definitionFormats.n8n.product,
      )
    : l10n.t(
        'This isn\'t a workflow of {0}, which has "nodes" and "connections". Nothing was sent.',
        product,
      );
}

/** The token is another secret than the API key, and is replaced by itself. */
export function describeRejectedToken(error: ServiceError): string {
  return withReason(l10n.t('The service rejected the MCP token.'), error);
}

function about(
  { connectionId }: ServiceError,
  label: string,
  command: 'connection.replaceKey' | 'connection.replaceMcpToken' | 'connection.diagnose',
): ErrorAction {
  return connectionId === null ? { label, command } : { label, command, argument: { connectionId } };
}

function replaceKey(error: ServiceError): ErrorAction {
  return about(error, l10n.t('Replace Key…'), 'connection.replaceKey');
}
export const showLog = (): ErrorAction => ({ label: l10n.t('Show Log'), command: 'showLog' });
const refresh = (): ErrorAction => ({ label: l10n.t('Refresh'), command: 'workflows.refresh' });
const openSetting = (setting: string): ErrorAction => ({ label: l10n.t('Open Setting'), setting });

const describe = (message: string, ...actions: readonly ErrorAction[]): ErrorDescription => ({
  message,
  actions,
});

/** What can be found at no path, or at none that's known. */
function describeNotOffered(isNotAdvertised: true | undefined): ErrorDescription {
  return describe(
    isNotAdvertised === true
      ? l10n.t(
          'This is not offered by this service. If you know where it is, set its path in "workflowAutomation.operations".',
        )
      : l10n.t(
          'The service doesn\'t support this at the expected path. Set another path in "workflowAutomation.operations".',
        ),
    openSetting('workflowAutomation.operations'),
  );
}

/** What happened, why, and what helps, for each reason. now: epoch milliseconds. */
const descriptions: {
  readonly [K in Kind]: (error: ServiceError, reason: Reasons[K], now: number) => ErrorDescription;
} = {
  keyMissing: (error) =>
    describe(
      l10n.t("The API key of this connection isn't on this machine."),
      about(error, l10n.t('Enter Key…'), 'connection.replaceKey'),
    ),
  secretStorage: (error, reason) =>
    describe(
      describeSecretStorage(reason),
      ...(reason.operation === 'read' ? [replaceKey(error)] : []),
      showLog(),
    ),
  keyRejected: (error) =>
    error.status === 0
      ? describe(
          l10n.t(
            'The key doesn\'t match the prefix in "workflowAutomation.keyPrefix", so no request was sent.',
          ),
          replaceKey(error),
          openSetting('workflowAutomation.keyPrefix'),
        )
      : describe(withReason(l10n.t('The service rejected the API key.'), error), replaceKey(error)),
  mcpTokenRejected: (error) =>
    describe(
      describeRejectedToken(error),
      about(error, l10n.t('Replace MCP Token…'), 'connection.replaceMcpToken'),
    ),
  mcpTokenMissing: (error) =>
    describe(
      l10n.t("The MCP token of this connection isn't on this machine."),
      about(error, l10n.t('Add MCP Token…'), 'connection.replaceMcpToken'),
    ),
  forbidden: (error, { right }) =>
    describe(
      right === undefined
        ? withReason(l10n.t("The API key doesn't allow this."), error)
        : describeMissingRights([right]),
      replaceKey(error),
    ),
  notFound: (error) => describe(withReason(l10n.t('Not found. It may have been deleted.'), error), refresh()),
  notOffered: (_error, { isNotAdvertised, by }) =>
    by === undefined
      ? describeNotOffered(isNotAdvertised)
      : describe(l10n.t('This is not offered by {0}.', by)),
  notDeployed: () => describe(l10n.t("The workflow isn't deployed, so it can't be executed.")),
  archived: ({ connectionId }, { workflowId }) =>
    describe(
      l10n.t("The workflow is archived, so it can't be changed, deployed or executed."),
      ...(connectionId === null
        ? []
        : [
            {
              label: l10n.t('Unarchive'),
              command: 'workflow.unarchive',
              argument: { connectionId, workflowId },
            } as const,
          ]),
    ),
  notStartable: (error, reason) => {
    const words = describeNotStartable(reason);
    if (!isTokenMissing(reason.because)) return describe(words);
    return describe(words, about(error, l10n.t('Add MCP Token…'), 'connection.replaceMcpToken'));
  },
  conflict: (error) =>
    describe(
      withReason(l10n.t('The workflow has changed on the service since you loaded it.'), error),
      refresh(),
    ),
  notPossible: (_error, { because }) => describe(describeImpossibility(because)),
  invalid: (error, reason) => describe(describeInvalid(error, reason)),
  otherFormat: (_error, { expected }) => describe(describeOtherFormat(expected)),
  tooLarge: (error) => describe(withReason(l10n.t('Too large for the service.'), error)),
  // Waiting helps with the rate limit, but not with a quota.
  rateLimited: (error, { isQuota, retryAt }, now) =>
    isQuota
      ? describe(withReason(l10n.t('The quota of this API key is used up.'), error), replaceKey(error))
      : describe(l10n.t('The request limit is reached. Try again in {0} s.', secondsUntil(retryAt, now))),
  unavailable: (error) =>
    describe(withReason(l10n.t('The service failed (HTTP {0}).', error.status), error), showLog()),
  unreachable: (error, { cause }) =>
    describe(
      l10n.t("The service can't be reached: {0}.", describeUnreachable(cause)),
      about(error, l10n.t('Diagnose'), 'connection.diagnose'),
      ...(cause === 'proxy' ? [openSetting('http.proxy')] : []),
    ),
  unanswered: () => describe(l10n.t("The service didn't respond. It may have started the execution.")),
  gap: (error) => describe(withReason(l10n.t('No longer available on the service.'), error), refresh()),
  noList: (_error, { says }) =>
    describe(
      says === null
        ? l10n.t('The service responded without a list.')
        : `${l10n.t('The service responded without a list.')} ${l10n.t('The service says: {0}', plainLine(says))}`,
      showLog(),
    ),
  unreadable: (_error, { cause }) =>
    describe(l10n.t("The service's response couldn't be read: {0}.", describeUnreadable(cause)), showLog()),
};

function describeReason<K extends Kind>(
  kind: K,
  reason: Reasons[K],
  error: ServiceError,
  now: number,
): ErrorDescription {
  return descriptions[kind](error, reason, now);
}

export function describeServiceError(error: ServiceError, now: number): ErrorDescription {
  return describeReason(error.reason.kind, error.reason, error, now);
}
