import { ReasonError } from './reasonError.ts';
import type { ServiceError } from './serviceError.ts';

export type ConnectionErrorReason =
  | { readonly kind: 'nameMissing' }
  | { readonly kind: 'baseUrlUnreadable' }
  /** http on a host that is not this machine, or another scheme. */
  | { readonly kind: 'baseUrlInsecure' }
  | { readonly kind: 'baseUrlParts'; readonly part: 'credentials' | 'query' | 'fragment' }
  /** Does not end in a version segment such as /v1. */
  | { readonly kind: 'baseUrlVersionMissing' }
  | { readonly kind: 'keyPrefix'; readonly expected: string }
  /** The address of the settings page is no https URL. */
  | { readonly kind: 'settingsUrl' }
  | { readonly kind: 'duplicate'; readonly connectionId: string }
  /** The service answered and does not accept the key. */
  | { readonly kind: 'keyRejected' }
  /** The service could not say now (unreachable, unavailable, rate limited); the caller may go on unverified. */
  | { readonly kind: 'unverified'; readonly error: ServiceError }
  /** Something answered that does not behave like the service. */
  | { readonly kind: 'notTheService'; readonly error: ServiceError }
  | { readonly kind: 'unknownConnection'; readonly connectionId: string }
  /** error: what the system said. */
  | { readonly kind: 'notStored'; readonly error: unknown }
  /** The connections were stored by a newer version of the extension. */
  | { readonly kind: 'newerVersion' };

/** A connection that was refused; nothing was stored. The message is for logs and holds no secret. */
export class ConnectionError extends ReasonError<ConnectionErrorReason> {
  override readonly name = 'ConnectionError';

  constructor(reason: ConnectionErrorReason) {
    super(
      reason,
      `Connection refused: ${reason.kind}`,
      'error' in reason ? { cause: reason.error } : undefined,
    );
  }
}

/** True for a ConnectionError and, where a kind is given, of that kind. */
export function isConnectionError(
  error: unknown,
  kind?: ConnectionErrorReason['kind'],
): error is ConnectionError {
  return error instanceof ConnectionError && (kind === undefined || error.reason.kind === kind);
}
