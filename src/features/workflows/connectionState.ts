import { type KeyFault, keyFaultOf, type ServiceError, type UnreachableCause } from '../../domain/errors.ts';
import type { Connection } from '../../domain/connection.ts';

/** The state of a view's connection. */
export type ConnectionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'keyMissing' }
  | { readonly kind: 'keyRejected'; readonly fault: KeyFault }
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause }
  | { readonly kind: 'unavailable' }
  /** `retryAt`: epoch milliseconds. */
  | { readonly kind: 'rateLimited'; readonly retryAt: number; readonly isQuota: boolean }
  /** Any other failure with nothing to show. */
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** There is data to show. `staleBecause`: why the last refresh failed. */
  | { readonly kind: 'ready'; readonly staleBecause: ServiceError | null };

/**
 * Returns the state to show. A missing or rejected key hides existing data; with other failures the data stays visible as stale.
 * `hasData`: a list was read for this connection, even an empty one.
 */
export function connectionState(
  connection: Connection | null,
  hasData: boolean,
  error: ServiceError | null,
): ConnectionState {
  if (connection === null) return { kind: 'none' };
  const reason = error?.reason;
  if (reason?.kind === 'keyMissing') return { kind: 'keyMissing' };
  if (error !== null && reason?.kind === 'keyRejected')
    return { kind: 'keyRejected', fault: keyFaultOf(error) };
  if (hasData) return { kind: 'ready', staleBecause: error };
  if (error === null || reason === undefined) return { kind: 'loading' };
  switch (reason.kind) {
    case 'unreachable':
      return { kind: 'unreachable', cause: reason.cause };
    case 'unavailable':
      return { kind: 'unavailable' };
    case 'rateLimited':
      return { kind: 'rateLimited', retryAt: reason.retryAt, isQuota: reason.isQuota };
    default:
      return { kind: 'failed', error };
  }
}
