import type { Connection } from '../../domain/connection.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The lifetimes as the service counts them; a year has 365 days. */
const lifetimes = { '30d': 30 * dayMs, '90d': 90 * dayMs, '1y': 365 * dayMs } as const;
/** The user is reminded of a key for this long before and after its end. */
const remindedMs = 7 * dayMs;

export interface KeyExpiry {
  /** Epoch milliseconds. The key was created before it was entered here, so this is the latest possible moment. */
  readonly endsAt: number;
  /** Whole days, rounded up; 0 or less after the end. */
  readonly daysLeft: number;
  /** "soon": within a week. */
  readonly stage: 'later' | 'soon' | 'ended';
}

type KeyTimes = Pick<Connection, 'expiration' | 'keySetAt'>;

/** Returns undefined when the key never expires, or its lifetime isn't known. `now`: epoch milliseconds. */
export function keyExpiry({ expiration, keySetAt }: KeyTimes, now: number): KeyExpiry | undefined {
  if (expiration === undefined || expiration === 'never' || keySetAt === undefined) return undefined;
  const setAt = Date.parse(keySetAt);
  if (Number.isNaN(setAt)) return undefined;
  const endsAt = setAt + lifetimes[expiration];
  const left = endsAt - now;
  const stage = left <= 0 ? 'ended' : left <= remindedMs ? 'soon' : 'later';
  return { endsAt, daysLeft: Math.ceil(left / dayMs), stage };
}

/** The last reminder of a connection's key. */
export interface Reminded {
  /** Identifies the key, so that a new key has reminders of its own. */
  readonly keySetAt: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** True when a reminder is due: once a day, from a week before the key's end to a week after it. */
export function isReminderDue(connection: KeyTimes, last: Reminded | undefined, now: number): boolean {
  const expiry = keyExpiry(connection, now);
  if (expiry === undefined || Math.abs(expiry.endsAt - now) > remindedMs) return false;
  return last === undefined || last.keySetAt !== connection.keySetAt || now - last.at >= dayMs;
}
