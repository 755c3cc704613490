// When a key ends and when a person is to be told, decided in one pure place.
import type { Connection } from '../../domain/connection.ts';

const day = 24 * 60 * 60 * 1000;
/** A year as the service counts it. */
const lifetimes = { '30d': 30 * day, '90d': 90 * day, '1y': 365 * day } as const;
/** How long before and after its end a key is spoken of. */
const nearness = 7 * day;

export interface KeyExpiry {
  /** Epoch milliseconds; the key was made before it was entered here, so this is the latest possible moment. */
  readonly endsAt: number;
  /** Whole days, rounded up; 0 or less once it has ended. */
  readonly daysLeft: number;
  /** ended: it no longer works. soon: within a week. later: more than a week away. */
  readonly stage: 'later' | 'soon' | 'ended';
}

type KeyTimes = Pick<Connection, 'expiration' | 'keySetAt'>;

/** undefined: the key never ends, or nobody said. now: epoch milliseconds. */
export function keyExpiry({ expiration, keySetAt }: KeyTimes, now: number): KeyExpiry | undefined {
  if (expiration === undefined || expiration === 'never' || keySetAt === undefined) return undefined;
  const setAt = Date.parse(keySetAt);
  if (Number.isNaN(setAt)) return undefined;
  const endsAt = setAt + lifetimes[expiration];
  const left = endsAt - now;
  const stage = left <= 0 ? 'ended' : left <= nearness ? 'soon' : 'later';
  return { endsAt, daysLeft: Math.ceil(left / day), stage };
}

/** What was said last of a connection's key. */
export interface Reminded {
  /** The key it was said of, named by when it was set: a replaced one starts anew. */
  readonly keySetAt: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** True when a person is to be told now: a week before and a week after the end, once in a day. */
export function isReminderDue(connection: KeyTimes, last: Reminded | undefined, now: number): boolean {
  const expiry = keyExpiry(connection, now);
  if (expiry === undefined || Math.abs(expiry.endsAt - now) > nearness) return false;
  return last === undefined || last.keySetAt !== connection.keySetAt || now - last.at >= day;
}
