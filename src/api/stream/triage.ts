// What a failure means for a follower, as one table.
import type { ServiceError } from '../../domain/serviceError.ts';

/** fatal: nothing heals it. limit: wait and go on. gap: read from the start. noStream: poll instead. drop: connect again. */
export type Verdict = 'fatal' | 'limit' | 'gap' | 'noStream' | 'drop';

const verdicts: Readonly<Record<ServiceError['reason']['kind'], Verdict>> = {
  keyMissing: 'fatal',
  secretStorage: 'drop',
  keyRejected: 'fatal',
  forbidden: 'fatal',
  notFound: 'fatal',
  notOffered: 'noStream',
  notDeployed: 'fatal',
  conflict: 'fatal',
  invalid: 'noStream',
  tooLarge: 'fatal',
  rateLimited: 'limit',
  unavailable: 'drop',
  unreachable: 'drop',
  unanswered: 'fatal',
  gap: 'gap',
  unreadable: 'noStream',
};

export function triage({ reason }: ServiceError): Verdict {
  if (reason.kind === 'rateLimited' && reason.isQuota) return 'fatal';
  if (reason.kind === 'unreachable' && reason.cause === 'tls') return 'fatal';
  return verdicts[reason.kind];
}
