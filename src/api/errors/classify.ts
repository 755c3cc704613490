// Converts refused and failed requests to errors with the reasons that the rest of the extension handles.
import { isJsonObject } from '../../base/json.ts';
import { redact } from '../../base/masking.ts';
import { codeOf } from '../../base/reason.ts';
import {
  type Impossibility,
  ServiceError,
  type ServiceErrorReason,
  type UnreachableCause,
  type UnreadableCause,
} from '../../domain/errors.ts';
import { isJsonType } from '../../protocol/body.ts';
import { tooManyStreams } from '../../protocol/operations.ts';
import { longestWaitMs } from '../budget/budget.ts';
import { reportsFailure } from '../decode/envelope.ts';
import type { CompleteResponse, ErrorResponse } from '../http/completeResponse.ts';
import { errorCode, errorDetails, errorMessage, isHtml } from './errorText.ts';
import { readRemaining, retryAfterOrDefault } from './rateLimitHeaders.ts';

/** Properties of a call that change how its response is classified. */
export interface CallContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** True when a refusal may mean that the workflow isn't deployed. */
  readonly mayBeNotDeployed: boolean;
  /** Redacted in messages. */
  readonly secrets: readonly string[];
}

interface Facts extends CallContext {
  readonly response: ErrorResponse;
  readonly code: string | null;
  /** Code and message, searched for keywords. */
  readonly words: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

const routeWords = /route|endpoint|cannot (get|post|put|patch|delete)|no such path/i;
const keyWords = /expired|revoked|disabled|invalid.*key/i;
const notDeployedWords = /not.?(been.?)?deployed|undeployed|inactive|not active|unpublished/i;
const quotaWords = /month|plan\b|quota/i;
const longestRequestId = 200;

/** True when the endpoint is missing instead of the record: nothing happened, and another path may exist. */
function isRouteLike(response: ErrorResponse): boolean {
  if (response.status === 405 || response.status === 501) return true;
  if (response.status !== 404) return false;
  if (isHtml(response) || errorCode(response) === 'route_not_found') return true;
  const message = errorMessage(response);
  return routeWords.test(message) || (message === 'Not Found' && /^\s*\{\s*"detail"/.test(response.text));
}

function rateLimited({ response, now, words }: Facts): ServiceErrorReason {
  const wait = retryAfterOrDefault(response, now);
  const isQuota = quotaWords.test(words) || wait > longestWaitMs;
  return { kind: 'rateLimited', retryAt: now + wait, isQuota };
}

/** Refusals of cancel and retry (contract section 9). */
const impossibilities: ReadonlyMap<string, Impossibility> = new Map([
  ['execution_ended', 'ended'],
  ['execution_not_ended', 'notEnded'],
  ['execution_completed', 'completed'],
  ['node_not_run', 'nodeNotRun'],
]);

interface Rule {
  readonly statuses: readonly number[];
  readonly applies?: (facts: Facts) => boolean;
  readonly reason: (facts: Facts) => ServiceErrorReason;
}

/** The first matching rule applies. */
const rules: readonly Rule[] = [
  {
    statuses: [400, 403, 409, 412, 422],
    applies: ({ mayBeNotDeployed, words }) => mayBeNotDeployed && notDeployedWords.test(words),
    reason: () => ({ kind: 'notDeployed' }),
  },
  { statuses: [401], reason: ({ code }) => ({ kind: 'keyRejected', code }) },
  {
    statuses: [403],
    applies: ({ response }) => readRemaining(response.headers) === 0,
    reason: rateLimited,
  },
  {
    statuses: [403],
    applies: ({ words }) => keyWords.test(words),
    reason: ({ code }) => ({ kind: 'keyRejected', code }),
  },
  {
    // Of something else than a service, or of what stands before it: it says nothing of the key's rights.
    statuses: [403],
    applies: ({ response }) => isHtml(response),
    reason: () => ({ kind: 'unreadable', cause: 'webPage' }),
  },
  { statuses: [403], reason: () => ({ kind: 'forbidden' }) },
  {
    statuses: [404, 405, 501],
    applies: ({ response }) => isRouteLike(response),
    reason: () => ({ kind: 'notOffered' }),
  },
  { statuses: [404], reason: () => ({ kind: 'notFound' }) },
  { statuses: [408], reason: () => ({ kind: 'unavailable' }) },
  { statuses: [407], reason: () => ({ kind: 'unreachable', cause: 'proxy' }) },
  { statuses: [409, 412], reason: () => ({ kind: 'conflict' }) },
  { statuses: [410], reason: () => ({ kind: 'gap' }) },
  { statuses: [413], reason: () => ({ kind: 'tooLarge' }) },
  {
    // The key itself isn't limited: the same is read without a stream.
    statuses: [429],
    applies: ({ code }) => code === tooManyStreams,
    reason: () => ({ kind: 'invalid', details: [] }),
  },
  { statuses: [429], reason: rateLimited },
];

function reasonOf(facts: Facts): ServiceErrorReason {
  const { status } = facts.response;
  const because = impossibilities.get(facts.code ?? '');
  if (because !== undefined && (status === 409 || status === 422)) return { kind: 'notPossible', because };
  const rule = rules.find(({ statuses, applies }) => statuses.includes(status) && (applies?.(facts) ?? true));
  if (rule) return rule.reason(facts);
  if (status >= 500) return { kind: 'unavailable' };
  if (status >= 400) return { kind: 'invalid', details: facts.details };
  return { kind: 'unreadable', cause: 'redirect' };
}

function requestIdOf({ headers }: ErrorResponse, clean: (text: string) => string): string | null {
  const reported = headers.get('x-request-id');
  return reported === null ? null : clean(reported).slice(0, longestRequestId);
}

/** Returns the error for a refusal. treatedAs: the status to classify by, for a 2xx response whose body says that the call failed. */
export function classify(
  response: ErrorResponse,
  context: CallContext,
  treatedAs = response.status,
): ServiceError {
  // The service may quote the rejected key anywhere.
  const clean = (text: string): string => redact(text, { secrets: context.secrets });
  const reported = errorCode(response);
  const code = reported === null ? null : clean(reported);
  const message = clean(errorMessage(response));
  const words = `${code ?? ''} ${message}`;
  const details = errorDetails(response).map(({ path, message: text }) => ({
    path: clean(path),
    message: clean(text),
  }));
  const facts = { ...context, response: { ...response, status: treatedAs }, code, words, details };
  return new ServiceError(reasonOf(facts), message, {
    status: response.status,
    code,
    requestId: requestIdOf(response, clean),
  });
}

/** Returns the error in a response; undefined for a success. anyContent: the body is the user's own data and isn't checked. */
export function failureOf(
  response: CompleteResponse,
  context: CallContext,
  anyContent: boolean,
): ServiceError | undefined {
  const { status, body, mediaType, text } = response;
  if (status < 200 || status > 299) return classify(response, context);
  const unreadable = (cause: UnreadableCause, message: string): ServiceError =>
    new ServiceError({ kind: 'unreadable', cause }, message, { status });
  if (response.isTooDeep) return unreadable('tooDeep', 'The response is nested too deep.');
  if (anyContent) return undefined;
  if (isHtml(response))
    return unreadable('webPage', 'A web page came where the service should have responded.');
  if (isJsonType(mediaType) && body === undefined && text.trim() !== '')
    return unreadable('notJson', 'The response is not valid JSON.');
  // Classified by its body, because a 2xx status doesn't say why the call failed.
  return isJsonObject(body) && reportsFailure(body) ? classify(response, context, 400) : undefined;
}

// A transport's error, however deeply wrapped, has a cause that the user can act on.

/** Error codes of Node and undici by cause. */
const causes: readonly (readonly [UnreachableCause, RegExp])[] = [
  ['proxy', /^(ERR_PROXY|UND_ERR_PRX)/],
  ['dns', /^(ENOTFOUND|EAI_)/],
  ['refused', /^ECONNREFUSED$/],
  ['timeout', /^(ETIMEDOUT|ESOCKETTIMEDOUT|ERR_TIMEOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)/],
  [
    'tls',
    /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|CRL_)/,
  ],
  ['reset', /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_DESTROYED|HPE_)/],
];

const sentences: Readonly<Record<UnreachableCause, string>> = {
  dns: 'The host name could not be found (DNS).',
  refused: 'Nothing listens at this address (connection refused).',
  tls: 'The certificate was not accepted (TLS).',
  proxy: 'The proxy did not let the request through.',
  timeout: 'There was no response in time.',
  reset: 'The connection was closed before the response was complete.',
  other: 'The connection failed.',
};

/** Yields the error, then its causes and the errors of an AggregateError. */
function* chain(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  if (error instanceof AggregateError) for (const inner of error.errors) yield* chain(inner, depth + 1);
  yield* chain(error.cause, depth + 1);
}

/** Returns the cause of a transport's error, and its code. The outermost known code decides. */
export function explainFailure(error: unknown): {
  readonly cause: UnreachableCause;
  readonly code: string | null;
} {
  for (const inner of chain(error)) {
    const code = codeOf(inner);
    const known = code === undefined ? undefined : causes.find(([, pattern]) => pattern.test(code));
    if (known) return { cause: known[0], code: code ?? null };
  }
  return { cause: 'other', code: codeOf(error) ?? null };
}

/** Codes of Node and undici for a connection that never came about. A TLS error that isn't about the certificate may come later. */
const unsentCodes =
  /^(ERR_PROXY|UND_ERR_PRX|ENOTFOUND|EAI_|ECONNREFUSED$|EHOSTUNREACH$|ENETUNREACH$|EHOSTDOWN$|UND_ERR_CONNECT_TIMEOUT$|CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$)/;

/** True for a transport's error after which the request has certainly not left this machine. */
export function wasNeverSent(error: unknown): boolean {
  for (const inner of chain(error)) {
    const code = codeOf(inner);
    if (code !== undefined)
      return unsentCodes.test(code) || ('syscall' in inner && inner.syscall === 'connect');
  }
  return false;
}

/** The error for a request without a complete response. Keeps the transport's error as its cause. */
export function unreachable(error: unknown): ServiceError {
  const { cause } = explainFailure(error);
  return new ServiceError({ kind: 'unreachable', cause }, sentences[cause], { cause: error });
}

/** The error for a request that exceeded the client's own time limit. */
export function timedOut(): ServiceError {
  return new ServiceError({ kind: 'unreachable', cause: 'timeout' }, sentences.timeout);
}
