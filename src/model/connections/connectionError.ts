// Every way a connection can be refused, typed; the words are chosen where they are shown.
import type { ServiceError } from '../../base/serviceError.ts';

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
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly reason: ConnectionErrorReason;

  constructor(reason: ConnectionErrorReason) {
    super(`Connection refused: ${reason.kind}`, 'error' in reason ? { cause: reason.error } : undefined);
    this.reason = reason;
  }
}

/** True for a ConnectionError and, where a kind is given, of that kind. */
export function isConnectionError(
  error: unknown,
  kind?: ConnectionErrorReason['kind'],
): error is ConnectionError {
  return error instanceof ConnectionError && (kind === undefined || error.reason.kind === kind);
}
