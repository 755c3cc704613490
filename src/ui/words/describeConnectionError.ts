import * as l10n from '@vscode/l10n';
import { type ConnectionError, isConnectionError } from '../../domain/errors.ts';
import { plainLine } from '../../editor/format.ts';
import { describeServiceError } from './describeServiceError.ts';
import type { ErrorDescription } from '../../editor/plainError.ts';

function describePart(part: 'credentials' | 'query' | 'fragment'): string {
  switch (part) {
    case 'credentials':
      return l10n.t('a user name or password');
    case 'query':
      return l10n.t('a query ("?…")');
    case 'fragment':
      return l10n.t('a fragment ("#…")');
  }
}

export function describeNewerVersion(): string {
  return l10n.t(
    'The connections were stored by a newer version of this extension. They are kept as they are; update the extension to use them.',
  );
}

export function describeConnectionError({ reason }: ConnectionError, now: number): ErrorDescription {
  const plain = (message: string): ErrorDescription => ({ message, actions: [] });
  switch (reason.kind) {
    case 'nameMissing':
      return plain(l10n.t('A connection needs a name.'));
    case 'baseUrlUnreadable':
      return plain(l10n.t('The base URL is not a URL. It looks like https://example.com/api/v1.'));
    case 'baseUrlInsecure':
      return plain(
        l10n.t(
          'The base URL must start with https://, so that the API key is never sent in clear. Only this machine may use http://.',
        ),
      );
    case 'baseUrlParts':
      return plain(l10n.t('The base URL must not have {0}.', describePart(reason.part)));
    case 'baseUrlVersionMissing':
      return plain(l10n.t('The base URL must end in the version, such as /v1.'));
    case 'keyPrefix':
      return plain(
        l10n.t(
          'This is not an API key of the service: keys start with "{0}" and hold no spaces. Nothing was sent. Another start can be set as "workflowAutomation.keyPrefix".',
          reason.expected,
        ),
      );
    case 'settingsUrl':
      return plain(l10n.t('The address of the settings page must start with https://.'));
    case 'duplicate':
      return plain(l10n.t('There is a connection with this name and base URL already.'));
    case 'keyRejected':
      return plain(
        l10n.t(
          'The service does not accept this API key: it was revoked, has expired, or belongs to another service. Nothing was changed.',
        ),
      );
    case 'unverified':
      return describeServiceError(reason.error, now);
    case 'notTheService':
      return plain(
        l10n.t(
          'Something answers at this base URL, but not as a workflow service does. Check the base URL, its version included.',
        ),
      );
    case 'notStored':
      return {
        message: l10n.t(
          "The connections can't be stored: {0}",
          plainLine(reason.error instanceof Error ? reason.error.message : String(reason.error)),
        ),
        actions: [{ label: l10n.t('Show Log'), command: 'showLog' }],
      };
    case 'newerVersion':
      return plain(describeNewerVersion());
    case 'unknownConnection':
      return {
        message: l10n.t('This connection does not exist any more.'),
        actions: [{ label: l10n.t('Switch Connection…'), command: 'connection.switch' }],
      };
  }
}

/** Returns the message of the error that `check` throws; undefined if it doesn't. check: throws a ConnectionError. */
export function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return describeConnectionError(error, Date.now()).message;
  }
}
