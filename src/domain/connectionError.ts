import { ReasonError } from './reasonError.ts';
import type { ServiceError } from './serviceError.ts';

export type ConnectionErrorReason =
  | { readonly kind: 'nameMissing' }
  | { readonly kind: 'baseUrlUnreadable' }
  /** http on a host other than this machine, or another scheme. */
  | { readonly kind: 'baseUrlInsecure' }
  | { readonly kind: 'baseUrlParts'; readonly part: 'credentials' | 'query' | 'fragment' }
  /** Doesn't end in a version segment such as /v1. */
  | { readonly kind: 'baseUrlVersionMissing' }
  | { readonly kind: 'keyPrefix'; readonly expected: string }
  /** The address of the settings page isn't an https URL. */
  | { readonly kind: 'settingsUrl' }
  | { readonly kind: 'duplicate'; readonly connectionId: string }
  /** The service responded and doesn't accept the key. */
  | { readonly kind: 'keyRejected' }
  /** The key couldn't be checked (unreachable, unavailable, rate limited). The caller may continue without the check. */
  | { readonly kind: 'unverified'; readonly error: ServiceError }
  /** The server that responded doesn't behave like the service. */
  | { readonly kind: 'notTheService'; readonly error: ServiceError }
  | { readonly kind: 'unknownConnection'; readonly connectionId: string }
  /** error: as reported by the system. */
  | { readonly kind: 'notStored'; readonly error: unknown }
  /** The connections were stored by a newer version of the extension. */
  | { readonly kind: 'newerVersion' };

/** A connection was refused and nothing was stored. The message is for logs and contains no secrets. */
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

/** True for a ConnectionError, of the given kind if one is given. */
export function isConnectionError(
  error: unknown,
  kind?: ConnectionErrorReason['kind'],
): error is ConnectionError {
  return error instanceof ConnectionError && (kind === undefined || error.reason.kind === kind);
}
