import { parseIsoTime, toTimestamp } from '../../base/time.ts';
import { limits } from '../../protocol/operations.ts';
import { HttpError, invalidRequest } from './httpError.ts';
import type { ServiceContext } from './routes.ts';
import type { StorePage } from '../store/rows.ts';

/** Returns the decoded value of a path parameter. */
export function pathValue(context: ServiceContext, name: string): string {
  return context.req.param(name) ?? '';
}

/** Returns a query parameter; undefined when it's absent or empty. */
export function readText(context: ServiceContext, name: string): string | undefined {
  const value = context.req.query(name);
  return value === '' ? undefined : value;
}

/** Reads `limit`: 1 to 100, default 50. */
export function readLimit(context: ServiceContext): number {
  const text = readText(context, 'limit');
  if (text === undefined) return limits.pageSize;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > limits.maximumPageSize)
    throw invalidRequest(`"limit" must be a number from 1 to ${limits.maximumPageSize}.`);
  return value;
}

export function readBoolean(context: ServiceContext, name: string): boolean | undefined {
  const word = readWord(context, name, ['true', 'false'], 'must be true or false');
  return word === undefined ? undefined : word === 'true';
}

/** Reads one of the words; `refusal` completes the message for another one. */
export function readWord<T extends string>(
  context: ServiceContext,
  name: string,
  words: readonly T[],
  refusal: string,
): T | undefined {
  const text = readText(context, name);
  const found = words.find((word) => word === text);
  if (text !== undefined && found === undefined) throw invalidRequest(`"${name}" ${refusal}.`);
  return found;
}

/** Timestamps are compared as texts, and only these years have four digits. */
const first = Date.parse('0000-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the time as an ISO timestamp in UTC, also if it has no zone. */
export function readTimestamp(context: ServiceContext, name: string): string | undefined {
  const text = readText(context, name);
  if (text === undefined) return undefined;
  const time = parseIsoTime(text);
  if (time === undefined || Number.isNaN(time)) throw invalidRequest(`"${name}" must be an ISO 8601 time.`);
  return toTimestamp(Math.min(Math.max(time, first), last));
}

/** Parses a whole number of 0 or more, such as a sequence. */
export function toCount(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalidRequest(`"${name}" must be a whole number, 0 or more.`);
  return Number(text);
}

/** Decodes the position in `cursor`; `list` prevents using a cursor on another list. */
export function readCursor(context: ServiceContext, list: string): number | undefined {
  const text = readText(context, 'cursor');
  if (text === undefined) return undefined;
  const match = /^(\w+):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  if (match?.[1] !== list)
    throw new HttpError(400, 'invalid_cursor', "The cursor doesn't belong to this list.");
  return Number(match[2]);
}

export function writeCursor(list: string, position: number | null): string | null {
  return position === null ? null : Buffer.from(`${list}:${position}`).toString('base64url');
}

/** Converts a page to its wire format. */
export function toListBody<T>(
  list: string,
  page: StorePage<T>,
): { data: readonly T[]; nextCursor: string | null } {
  return { data: page.items, nextCursor: writeCursor(list, page.nextPosition) };
}
