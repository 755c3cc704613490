// Times and durations in a query.
import { parseIsoTime } from '../../base/time.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const lengths: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', second],
  ['m', minute],
  ['min', minute],
  ['h', hour],
  ['d', day],
  ['w', 7 * day],
]);

const numberWithUnit = /(\d{1,9}(?:\.\d{1,9})?)(ms|min|[smhdw])/gy;

/** Reads `90s`, `1.5h` or `1h30m`; undefined for anything else, and for no time at all. */
export function readDuration(written: string): number | undefined {
  const parts = [...written.toLowerCase().matchAll(numberWithUnit)];
  if (parts.map(([whole]) => whole).join('') !== written.toLowerCase()) return undefined;
  const total = parts.reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (lengths.get(unit) ?? 0),
    0,
  );
  return total > 0 ? Math.round(total) : undefined;
}

/** The earliest time that all services read. */
const earliest = Date.UTC(1970);
const latest = Date.UTC(10_000);

/**
 * Reads how long ago (`1d`, `2h30m`), `today`, `yesterday`, or a date with or without a time. Without a time zone it's in that of this
 * machine. Undefined for anything else.
 */
export function readTime(written: string, now: number): Date | undefined {
  const word = written.toLowerCase();
  if (word === 'today') return dayBefore(now, 0);
  if (word === 'yesterday') return dayBefore(now, 1);
  const ago = readDuration(word);
  const time = ago === undefined ? readDate(written) : now - ago;
  return time !== undefined && time >= earliest && time < latest ? new Date(time) : undefined;
}

function dayBefore(now: number, days: number): Date {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days);
}

/** Reads a date with or without a time, as epoch milliseconds; undefined for anything else. Without a time zone it's in that of this machine. */
export function readDate(written: string): number | undefined {
  const time = parseIsoTime(written);
  if (time === undefined || Number.isNaN(time)) return undefined;
  // A date has hyphens of its own, so a zone is looked for behind the time.
  if (/[Tt ].*(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/.test(written)) return time;
  const utc = new Date(time);
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
    utc.getUTCMilliseconds(),
  ).getTime();
}
