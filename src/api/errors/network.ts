// Maps a transport's error, however deeply wrapped, to a cause that the user can act on.
import { ServiceError, type UnreachableCause } from '../../domain/errors.ts';

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
  timeout: 'There was no answer in time.',
  reset: 'The connection was closed before the answer was complete.',
  other: 'The connection failed.',
};

/** Yields the error, then its causes and the errors of an AggregateError. */
function* chain(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  if (error instanceof AggregateError) for (const inner of error.errors) yield* chain(inner, depth + 1);
  yield* chain(error.cause, depth + 1);
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Returns the cause of a transport's error. The outermost known code decides. */
export function unreachableCause(error: unknown): UnreachableCause {
  for (const inner of chain(error)) {
    const code = codeOf(inner);
    const known = code === null ? undefined : causes.find(([, pattern]) => pattern.test(code));
    if (known) return known[0];
  }
  return 'other';
}

/** The error for a request without a complete response. Keeps the transport's error as its cause. */
export function unreachable(error: unknown): ServiceError {
  const cause = unreachableCause(error);
  return new ServiceError({ kind: 'unreachable', cause }, sentences[cause], { cause: error });
}

/** The error for a request that exceeded the client's own time limit. */
export function timedOut(): ServiceError {
  return new ServiceError({ kind: 'unreachable', cause: 'timeout' }, sentences.timeout);
}
