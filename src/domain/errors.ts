// The errors of the extension's own layers. Each has a reason that is a union, from which the user's text is chosen.
import type { ConnectionKind } from './connection.ts';
import type { DefinitionFormat } from './definitionFormat.ts';
import type { KeyRight } from './apiKey.ts';
import type { SearchMistake } from './search.ts';

/** An error whose reason is one kind of a union. The message is for the log; the text shown to the user is chosen by the reason. */
abstract class ReasonError<Reason extends { readonly kind: string }> extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Why the service couldn't be reached. */
export type UnreachableCause = 'dns' | 'refused' | 'tls' | 'proxy' | 'timeout' | 'reset' | 'other';

/** Why a response couldn't be used. */
export type UnreadableCause =
  | 'webPage'
  | 'notJson'
  /** JSON nested deeper than any record. */
  | 'tooDeep'
  /** The response doesn't contain the requested data. */
  | 'incomplete'
  | 'tooLarge'
  /** Bytes that aren't text in the charset of the response. */
  | 'notText'
  /** Compressed, although compression wasn't requested. */
  | 'encoded'
  /** A redirect that must not be followed. */
  | 'redirect';

/** Why an execution can't be cancelled (ended) or retried. completed: without a node to retry from. */
export type Impossibility = 'ended' | 'notEnded' | 'completed' | 'nodeNotRun';

/**
 * Why no execution of a workflow can be started this way. A token for the MCP server helps against the first three: there is no webhook,
 * only a trigger by hand, or its webhook requires authentication of its own. onlyByAddress: only that webhook takes such an input.
 * closedNotInMcp: that webhook, and a workflow that the MCP server may not execute yet; notInMcp: only the latter. nothingToCall: nothing
 * helps. unsaved: a draft that isn't saved. notPinnable: pins that it doesn't take.
 */
export type Unstartable =
  | 'noTrigger'
  | 'byHandOnly'
  | 'ownAuthentication'
  | 'onlyByAddress'
  | 'nothingToCall'
  | 'noMcp'
  | 'notInMcp'
  | 'closedNotInMcp'
  | 'unsaved'
  | 'notPinnable';

export type ServiceErrorReason =
  | { readonly kind: 'keyMissing' }
  /** The editor's secret storage, which holds the key, failed. Nothing was sent. */
  | {
      readonly kind: 'secretStorage';
      readonly operation: 'read' | 'store' | 'delete';
      readonly cause: 'failed' | 'silent';
    }
  /** 401, or a 403 about the key. With status 0, the key has the wrong format and wasn't sent. */
  | { readonly kind: 'keyRejected'; readonly code: string | null }
  /** The token of a service's MCP server, which is a different secret from the key. */
  | { readonly kind: 'mcpTokenRejected' }
  | { readonly kind: 'mcpTokenMissing' }
  /** right: the one that the key lacks, if the service reports it. */
  | { readonly kind: 'forbidden'; readonly right?: KeyRight }
  | { readonly kind: 'notFound' }
  /**
   * The endpoint doesn't exist, as opposed to the record. isNotAdvertised: the service doesn't advertise this optional capability, so
   * nothing was sent. by: the product that doesn't have it anywhere, for services of another kind.
   */
  | { readonly kind: 'notOffered'; readonly isNotAdvertised?: true; readonly by?: string }
  | { readonly kind: 'notDeployed' }
  /** The workflow is archived: the service keeps it as it is, and doesn't deploy or execute it. */
  | { readonly kind: 'archived'; readonly workflowId: string }
  /** Nothing starts it with this connection, or not in this way. by: the product that doesn't. names: of the nodes that it's about. */
  | {
      readonly kind: 'notStartable';
      readonly because: Unstartable;
      readonly by: string;
      readonly names?: readonly string[];
    }
  | { readonly kind: 'conflict' }
  /** The execution, or the node to retry from, isn't in the state that the call needs. */
  | { readonly kind: 'notPossible'; readonly because: Impossibility }
  /** isAddressTaken: another deployed workflow already uses one of this workflow's addresses. */
  | {
      readonly kind: 'invalid';
      readonly details: readonly { readonly path: string; readonly message: string }[];
      readonly isAddressTaken?: true;
    }
  /** A definition that isn't a document of the service's kind. Nothing was sent. */
  | { readonly kind: 'otherFormat'; readonly expected: DefinitionFormat }
  | { readonly kind: 'tooLarge' }
  /** retryAt: epoch milliseconds. isQuota: a plan's quota instead of the limit per minute; waiting doesn't help. */
  | { readonly kind: 'rateLimited'; readonly retryAt: number; readonly isQuota: boolean }
  /** 5xx except 501, or 408. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'unreachable'; readonly cause: UnreachableCause }
  /** The execute call got no response and no execution was found, but it may have started an execution. */
  | { readonly kind: 'unanswered' }
  /** The requested data or the position to resume from existed but was deleted (410). */
  | { readonly kind: 'gap' }
  /** A list was requested, but the response was something else. says: why, in the service's words, without secrets. */
  | { readonly kind: 'noList'; readonly says: string | null }
  /** A response that couldn't be understood. */
  | { readonly kind: 'unreadable'; readonly cause: UnreadableCause };

/**
 * A failed call. The message is the service's own reason when a response refused the call, else plain English for the log. It contains no
 * secrets. status is 0 when there was no response.
 */
export class ServiceError extends ReasonError<ServiceErrorReason> {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  /** The connection that made the call; null for a call without a stored connection. */
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

  /** Returns the same error with the connection's id. */
  ofConnection(connectionId: string): ServiceError {
    return this.#with({ connectionId });
  }

  /** Returns the same error with a more specific reason. */
  because(reason: ServiceErrorReason): ServiceError {
    return this.#with({ reason });
  }

  /** Returns the same error with a message for readers who see only the message. */
  withMessage(message: string): ServiceError {
    return this.#with({ message });
  }

  #with({
    reason = this.reason,
    message = this.message,
    connectionId = this.connectionId,
  }: Partial<Pick<ServiceError, 'reason' | 'message' | 'connectionId'>>): ServiceError {
    const { status, code, requestId, cause } = this;
    const error = new ServiceError(reason, message, { status, code, requestId, connectionId, cause });
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }
}

/** True for a ServiceError, of the given kind if one is given. */
export function isServiceError(error: unknown, kind?: ServiceErrorReason['kind']): error is ServiceError {
  return error instanceof ServiceError && (kind === undefined || error.reason.kind === kind);
}

/** True if the service doesn't offer what was asked for, or doesn't have it. */
export function isLacking(error: unknown): boolean {
  return isServiceError(error, 'notOffered') || isServiceError(error, 'notFound');
}

/** Returns undefined if the service doesn't offer it or doesn't have it. */
export async function ifOffered<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isLacking(error)) return undefined;
    throw error;
  }
}

/** True for a failure that passes by itself: the service is down, can't be reached, or rate limits requests, or the key can't be read now. */
export function isTransient({ reason }: ServiceError): boolean {
  if (reason.kind === 'rateLimited') return !reason.isQuota;
  if (reason.kind === 'unreachable') return reason.cause !== 'tls';
  return reason.kind === 'unavailable' || reason.kind === 'secretStorage';
}

/** True if a change may have been made: its request may have arrived, and the response doesn't say what happened to it. */
export function mayHaveArrived({ reason, status, cause }: ServiceError): boolean {
  switch (reason.kind) {
    case 'unreachable':
      // Without a cause, the request was refused on this side and never sent.
      return (
        reason.cause === 'timeout' ||
        reason.cause === 'reset' ||
        (reason.cause === 'other' && cause !== undefined)
      );
    case 'unavailable':
      // 408: the request never arrived completely; 507: the service couldn't store it.
      return status >= 500 && status !== 507;
    case 'unreadable':
      return reason.cause !== 'redirect' && reason.cause !== 'webPage';
    default:
      return false;
  }
}

/** What is known of a rejected key. */
export type KeyFault = 'revoked' | 'expired' | 'unknown';

/** Returns what a rejection says about the key, by its code or else by its words. */
export function keyFaultOf({ reason, code, message }: ServiceError): KeyFault {
  if (reason.kind !== 'keyRejected') return 'unknown';
  const reported = [reason.code ?? code ?? '', message].find((text) => /revoked|expired/i.test(text)) ?? '';
  const [isRevoked, isExpired] = [/revoked/i.test(reported), /expired/i.test(reported)];
  if (isRevoked === isExpired) return 'unknown';
  return isRevoked ? 'revoked' : 'expired';
}

export type ConnectionErrorReason =
  | { readonly kind: 'nameMissing' }
  /** example: an address of its kind. */
  | { readonly kind: 'baseUrlUnreadable'; readonly example: string }
  /** http on a host other than this machine, or another scheme. */
  | { readonly kind: 'baseUrlInsecure' }
  | { readonly kind: 'baseUrlParts'; readonly part: 'credentials' | 'query' | 'fragment' }
  /** Doesn't end in a version segment such as /v1. */
  | { readonly kind: 'baseUrlVersionMissing' }
  | { readonly kind: 'keyPrefix'; readonly expected: string }
  /** Empty, or with characters that can't be sent. */
  | { readonly kind: 'secretUnreadable'; readonly secret: 'apiKey' | 'mcpToken' }
  /** The address of the settings page isn't an https URL. */
  | { readonly kind: 'settingsUrl' }
  | { readonly kind: 'duplicate'; readonly connectionId: string }
  /** The service responded and doesn't accept the key. */
  | { readonly kind: 'keyRejected' }
  /** The MCP server doesn't accept its token. */
  | { readonly kind: 'mcpTokenRejected'; readonly error: ServiceError }
  /** This service has no MCP server, as an older version of its kind. */
  | { readonly kind: 'mcpMissing' }
  /** Connections of this kind have no MCP token. */
  | { readonly kind: 'mcpTokenNotTaken' }
  /** The key couldn't be checked (unreachable, unavailable, rate limited). The caller may continue without the check. */
  | { readonly kind: 'unverified'; readonly error: ServiceError }
  /** The server that responded doesn't behave like the service. */
  | { readonly kind: 'notTheService'; readonly error: ServiceError; readonly expected: ConnectionKind }
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

export type LaunchErrorReason =
  /** The process exited immediately or couldn't be started. words: its last output, or the system's error. */
  | { readonly kind: 'notStarted'; readonly words: string }
  /** The service's data can't be read. words: which file, and why. */
  | { readonly kind: 'dataDamaged'; readonly words: string }
  /** The process runs but doesn't respond. */
  | { readonly kind: 'silent'; readonly seconds: number }
  /** The process was told to stop but didn't. pid: its process id. */
  | { readonly kind: 'notEnded'; readonly pid: number }
  /** Another window runs the service on the same data. */
  | { readonly kind: 'inUse' };

/** The local service failed to start or stop. The message is for the log. */
export class LaunchError extends ReasonError<LaunchErrorReason> {
  override readonly name = 'LaunchError';
}

export type SearchErrorReason =
  /** query: as it was written. mistakes: at least one. */
  | { readonly kind: 'mistakes'; readonly query: string; readonly mistakes: readonly SearchMistake[] }
  /** No workflow has the name or the id. */
  | { readonly kind: 'unknownWorkflow'; readonly workflow: string }
  /** A service that can search has listed executions instead, as a process of an earlier version does. */
  | { readonly kind: 'notSearched' }
  /** A connection has no more saved searches than this. */
  | { readonly kind: 'tooManySaved'; readonly maximum: number }
  /** The saved searches are there, but can't be read for now. */
  | { readonly kind: 'savedUnreadable' };

/** What can't be searched for, or saved. Nothing was found out. */
export class SearchError extends ReasonError<SearchErrorReason> {
  override readonly name = 'SearchError';
}

/** A failure whose message is already in the user's language. */
export class WordedError extends Error {
  override readonly name: string = 'WordedError';
}
