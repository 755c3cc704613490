import * as l10n from '@vscode/l10n';
import { formats } from './formats.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "340 ms", "2.4 s", "3 min 5 s", "2 h 10 min". */
export function formatDuration(milliseconds: number): string {
  const wholeMs = Math.max(0, Math.round(milliseconds));
  if (wholeMs < second) return `${wholeMs} ms`;
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 100) return `${formats.tenths(tenths / 10)} s`;
  const seconds = Math.round(milliseconds / second);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "12 s", "3 min", "2 h 10 min": how long something has been going on. Seconds only in the first minute. */
export function formatElapsed(milliseconds: number): string {
  if (milliseconds < minute) return `${Math.max(0, Math.floor(milliseconds / second))} s`;
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  return formatDuration(milliseconds);
}

/** "just now", "5 min ago", "3 h ago", "yesterday", "2 days ago". now: epoch milliseconds. */
export function formatAge(date: Date, now: number): string {
  const age = now - date.getTime();
  if (age < minute) return l10n.t('just now');
  if (age < hour) return l10n.t('{0} min ago', Math.floor(age / minute));
  if (age < day) return l10n.t('{0} h ago', Math.floor(age / hour));
  if (age < 2 * day) return l10n.t('yesterday');
  return l10n.t('{0} days ago', Math.floor(age / day));
}

/** Whole seconds until a time, at least 1. Both in epoch milliseconds. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / second));
}

function pad(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

/** Local time with milliseconds, in the format that the editor's log language highlights. */
export function renderTime(time: Date): string {
  const date = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${date} ${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`;
}
