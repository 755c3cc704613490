import { ReasonError } from './reasonError.ts';

/** Why the service could not be reached at all. */
export type UnreachableCause = 'dns' | 'refused' | 'tls' | 'proxy' | 'timeout' | 'reset' | 'other';

/** Why an answer could not be used. */
export type UnreadableCause =
  | 'webPage'
  | 'notJson'
  /** JSON nested deeper than any record is. */
  | 'tooDeep'
  /** What was asked for is not in it. */
  | 'incomplete'
  | 'tooLarge'
  /** Compressed, which was not asked for. */
  | 'encoded'
  /** It leads to another address, where it must not be followed. */
  | 'redirect';

export type ServiceErrorReason =
  | { readonly kind: 'keyMissing' }
  /** The editor's secret storage, where the key is kept: nothing was sent. */
  | {
      readonly kind: 'secretStorage';
      readonly operation: 'read' | 'store' | 'delete';
      readonly cause: 'failed' | 'silent';
    }
  /** 401, or 403 that speaks of the key; with status 0: it does not start as keys must, and was not sent. */
  | { readonly kind: 'keyRejected'; readonly code: string | null }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'notFound' }
  /** No such endpoint, as told apart from no such record. */
  | { readonly kind: 'notOffered' }
  | { readonly kind: 'notDeployed' }
  | { readonly kind: 'conflict' }
  | {
      readonly kind: 'invalid';
      readonly details: readonly { readonly path: string; readonly message: string }[];
    }
  | { readonly kind: 'tooLarge' }
  /** retryAt: epoch milliseconds. isQuota: a plan's quota, not the minute's limit; waiting does not help. */
  | { readonly kind: 'rateLimited'; readonly retryAt: number; readonly isQuota: boolean }
  /** 5xx. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause }
  /** The execute call was sent, no answer came, and no execution was found: it may have been started. */
  | { readonly kind: 'unanswered' }
  /** What was asked for, or the position to resume from, was there once (410). */
  | { readonly kind: 'gap' }
  /** An answer that could not be understood. */
  | { readonly kind: 'unreadable'; readonly cause: UnreadableCause };

/** A failed call. The message is, where an answer refused it, the service's own reason, else a plain English one for the log; it holds no secrets. status is 0 when no answer came. */
export class ServiceError extends ReasonError<ServiceErrorReason> {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  /** Whose call it was; null for a call that no stored connection made. */
  readonly connectionId: string | null;

  constructor(
    reason: ServiceErrorReason,
    message: string,
    details: {
      readonly status?: number;
      readonly code?: string | null;
      readonly requestId?: string | null;
      readonly connectionId?: string | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(reason, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status ?? 0;
    this.code = details.code ?? null;
    this.requestId = details.requestId ?? null;
    this.connectionId = details.connectionId ?? null;
  }

  /** The same failure, as that of a connection's call. */
  ofConnection(connectionId: string): ServiceError {
    const { reason, message, status, code, requestId, cause } = this;
    const error = new ServiceError(reason, message, { status, code, requestId, connectionId, cause });
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }
}

/** True for a ServiceError, and, where a kind is given, of that kind. */
export function isServiceError(error: unknown, kind?: ServiceErrorReason['kind']): error is ServiceError {
  return error instanceof ServiceError && (kind === undefined || error.reason.kind === kind);
}

/** True for a failure that goes away by itself: the service is down, cannot be reached, or refuses for a minute. */
export function isTransient({ reason }: ServiceError): boolean {
  if (reason.kind === 'rateLimited') return !reason.isQuota;
  if (reason.kind === 'unreachable') return reason.cause !== 'tls';
  return reason.kind === 'unavailable';
}
