// A follower that waits for the limit says so, and for how long.
import { type Clock, wait } from '../../base/time.ts';
import type { ServiceError } from '../../domain/serviceError.ts';
import type { Transport } from '../request/transport.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { FollowItem } from './items.ts';

/** The pause that a refusal asks for. */
export function pauseUntil({ reason }: ServiceError, clock: Clock): FollowItem & { readonly kind: 'paused' } {
  const retryAt = reason.kind === 'rateLimited' ? reason.retryAt : 0;
  return { kind: 'paused', resumeInMs: Math.max(1000, retryAt - clock.now()) };
}

/** Waits until the budget has a place for following; true when it had to. */
export async function* untilAllowed(context: {
  readonly transport: Transport;
  readonly purpose: Purpose;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): AsyncGenerator<FollowItem & { readonly kind: 'paused' }, boolean, void> {
  const resumeInMs = context.transport.budget.waitMs(context.purpose);
  if (resumeInMs <= 0) return false;
  yield { kind: 'paused', resumeInMs };
  await wait(context.clock, resumeInMs, context.signal);
  return true;
}
