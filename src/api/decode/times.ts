// Decodes times given as ISO text, seconds, milliseconds, microseconds or nanoseconds. A number's size determines its unit.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Names, pickNumber, pickPresent } from './fields.ts';

/** The upper bound of numbers in each unit, and their conversion to milliseconds. */
const units = [
  { below: 10n ** 11n, toMs: (value: bigint) => value * 1000n },
  { below: 10n ** 14n, toMs: (value: bigint) => value },
  { below: 10n ** 17n, toMs: (value: bigint) => value / 1000n },
] as const;
const withoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/;
const numeric = /^(\d+)(?:\.(\d+))?$/;

/** Maximum length of text that's read as a time, in UTF-16 units. Longer numbers would take long to parse. */
const longestText = 100;
/** Durations of more than a century are invalid. */
const longestDurationMs = 100 * 366 * 24 * 3_600_000;

function fromDigits(whole: string, fraction: string): number {
  const value = BigInt(whole);
  const unit = units.find(({ below }) => value < below);
  const milliseconds = unit ? unit.toMs(value) : value / 1_000_000n;
  const isSeconds = unit === units[0];
  return Number(milliseconds) + (isSeconds ? Math.round(Number(`0.${fraction || '0'}`) * 1000) : 0);
}

function valid(milliseconds: number): Date | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Decodes a point in time; returns null for any other value. Text without a time zone is read as UTC. */
export function parseTime(value: JsonValue | undefined): Date | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = (
    typeof value === 'number'
      ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 3 })
      : value
  ).trim();
  if (text.length > longestText) return null;
  const digits = numeric.exec(text);
  if (digits) return valid(fromDigits(digits[1] ?? '', digits[2] ?? ''));
  if (typeof value === 'number') return null;
  return valid(Date.parse(withoutZone.test(text) ? `${text.replace(' ', 'T').replace(',', '.')}Z` : text));
}

/** Returns the first readable time among the names. */
export function pickTime(record: JsonObject, names: Names): Date | null {
  for (const name of names) {
    const time = parseTime(pickPresent(record, [name]));
    if (time !== null) return time;
  }
  return null;
}

function plausible(milliseconds: number): number | null {
  return milliseconds >= 0 && milliseconds <= longestDurationMs ? milliseconds : null;
}

/** Returns milliseconds: the difference of the two times when both are known, else the record's own duration. */
export function decodeDuration(
  record: JsonObject,
  startedAt: Date | null,
  completedAt: Date | null,
): number | null {
  if (startedAt && completedAt) return plausible(Math.max(0, completedAt.getTime() - startedAt.getTime()));
  const milliseconds = pickNumber(record, ['durationMs', 'totalDurationMs', 'duration', 'executionTime']);
  if (milliseconds !== null) return plausible(milliseconds);
  const seconds = pickNumber(record, ['elapsedTime']);
  return seconds === null ? null : plausible(Math.round(seconds * 1000));
}
