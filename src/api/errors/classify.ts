// Converts refused requests to errors with the reasons that the rest of the extension handles.
import { redact } from '../../base/secrets.ts';
import { ServiceError, type ServiceErrorReason } from '../../domain/errors.ts';
import { type ErrorAnswer, errorCode, errorDetails, errorMessage, isHtml } from './errorText.ts';
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
  readonly answer: ErrorAnswer;
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
/** Longer waits are shown to the user instead of waited for. */
export const longestWaitMs = 5 * 60_000;

/** True when the endpoint is missing instead of the record: nothing happened, and another path may exist. */
function isRouteLike(answer: ErrorAnswer): boolean {
  if (answer.status === 405 || answer.status === 501) return true;
  if (answer.status !== 404) return false;
  if (isHtml(answer) || errorCode(answer) === 'route_not_found') return true;
  const message = errorMessage(answer);
  return routeWords.test(message) || (message === 'Not Found' && /^\s*\{\s*"detail"/.test(answer.text));
}

function rateLimited({ answer, now, words }: Facts): ServiceErrorReason {
  const wait = retryAfterOrDefault(answer, now);
  const isQuota = quotaWords.test(words) || wait > longestWaitMs;
  return { kind: 'rateLimited', retryAt: now + wait, isQuota };
}

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
    applies: ({ answer }) => readRemaining(answer.headers) === 0,
    reason: rateLimited,
  },
  {
    statuses: [403],
    applies: ({ words }) => keyWords.test(words),
    reason: ({ code }) => ({ kind: 'keyRejected', code }),
  },
  { statuses: [403], reason: () => ({ kind: 'forbidden' }) },
  {
    statuses: [404, 405, 501],
    applies: ({ answer }) => isRouteLike(answer),
    reason: () => ({ kind: 'notOffered' }),
  },
  { statuses: [404], reason: () => ({ kind: 'notFound' }) },
  { statuses: [408], reason: () => ({ kind: 'unavailable' }) },
  { statuses: [407], reason: () => ({ kind: 'unreachable', cause: 'proxy' }) },
  { statuses: [409, 412], reason: () => ({ kind: 'conflict' }) },
  { statuses: [410], reason: () => ({ kind: 'gap' }) },
  { statuses: [413], reason: () => ({ kind: 'tooLarge' }) },
  { statuses: [429], reason: rateLimited },
];

function reasonOf(facts: Facts): ServiceErrorReason {
  const { status } = facts.answer;
  const rule = rules.find(({ statuses, applies }) => statuses.includes(status) && (applies?.(facts) ?? true));
  if (rule) return rule.reason(facts);
  if (status >= 500) return { kind: 'unavailable' };
  if (status >= 400) return { kind: 'invalid', details: facts.details };
  return { kind: 'unreadable', cause: 'redirect' };
}

function requestIdOf({ headers }: ErrorAnswer, clean: (text: string) => string): string | null {
  const told = headers.get('x-request-id');
  return told === null ? null : clean(told).slice(0, longestRequestId);
}

/** Returns the error for a refusal. treatedAs: the status to classify by, for a 2xx response whose body says that the call failed. */
export function classify(answer: ErrorAnswer, context: CallContext, treatedAs = answer.status): ServiceError {
  // The service may quote the rejected key anywhere.
  const clean = (text: string): string => redact(text, context.secrets);
  const told = errorCode(answer);
  const code = told === null ? null : clean(told);
  const message = clean(errorMessage(answer));
  const words = `${code ?? ''} ${message}`;
  const details = errorDetails(answer).map(({ path, message: text }) => ({
    path: clean(path),
    message: clean(text),
  }));
  const facts = { ...context, answer: { ...answer, status: treatedAs }, code, words, details };
  return new ServiceError(reasonOf(facts), message, {
    status: answer.status,
    code,
    requestId: requestIdOf(answer, clean),
  });
}
