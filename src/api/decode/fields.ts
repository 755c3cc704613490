// Looks up fields under all the names that services use for them.
import { parseIsoTime } from '../../base/time.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nearestNumber,
  numberText,
  parseJson,
} from '../../base/json.ts';

/** `workflowId` → `workflow_id`. Names in snake case stay as they are. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_match, before: string, after: string) => {
    return `${before}_${after.toLowerCase()}`;
  });
}

/** The names with those in snake case. */
export function withTwins(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [name, snakeCase(name)]));
}

/** The place of a field in a record, compiled once, since it's looked up in every row. */
interface Path {
  readonly name: string;
  readonly twin: string;
  /** Where it is in the record that's found there; null: it's found there itself. */
  readonly below: Path | null;
}

/** The paths of one field in order of preference. */
export type Names = readonly Path[];

/** The client's own, so there are few. */
const knownPaths = new Map<string, Path>();

function pathOf(text: string): Path {
  const known = knownPaths.get(text);
  if (known !== undefined) return known;
  const [name = '', ...rest] = text.split('.');
  const path = { name, twin: snakeCase(name), below: rest.length > 0 ? pathOf(rest.join('.')) : null };
  knownPaths.set(text, path);
  return path;
}

/** Names of one field in order of preference. A dot goes one level down. */
export function anyOf(...names: readonly string[]): Names {
  return names.map(pathOf);
}

/**
 * Returns a function that finds, of the names of each field, those that a record has. For records that come by the thousand: to go through the
 * few members of one costs far less than to look for all the names that they could have.
 */
export function namesIn<Field extends string>(
  fields: Record<Field, Names>,
): (record: JsonObject) => Readonly<Record<Field, Names>> {
  const absent = { ...fields };
  const byMember = new Map<string, (readonly [field: Field, names: Names])[]>();
  for (const field in fields) {
    absent[field] = [];
    for (const path of fields[field])
      for (const name of new Set([path.name, path.twin]))
        byMember.set(name, [...(byMember.get(name) ?? []), [field, [path]]]);
  }
  let members: readonly string[] = [];
  let found: Readonly<Record<Field, Names>> = absent;
  return (record) => {
    const own = Object.keys(record);
    // Mostly it has the same members as the one before.
    if (own.length === members.length && own.every((name, at) => name === members[at])) return found;
    const present = { ...absent };
    for (const name of own)
      for (const [field, names] of byMember.get(name) ?? []) {
        const others = present[field];
        present[field] =
          others.length === 0
            ? names
            : fields[field].filter((path) => names.includes(path) || others.includes(path));
      }
    [members, found] = [own, present];
    return present;
  };
}

function member(record: JsonObject, { name, twin }: Path): JsonValue | undefined {
  if (Object.hasOwn(record, name)) return record[name];
  return twin !== name && Object.hasOwn(record, twin) ? record[twin] : undefined;
}

function atPath(record: JsonObject, path: Path): JsonValue | undefined {
  const { below } = path;
  const value = member(record, path);
  if (below === null) return value;
  return isJsonObject(value) ? atPath(value, below) : undefined;
}

/** Returns the first value that's present and not null. */
export function pick(record: JsonObject, names: Names): JsonValue | undefined {
  for (const name of names) {
    const value = atPath(record, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Returns the first value that's present, including null. */
export function pickPresent(record: JsonObject, names: Names): JsonValue | undefined {
  for (const name of names) {
    const value = atPath(record, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns text, or a number with the digits that it came with, because ids may be numbers; null for anything else. */
export function toText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return numberText(value) ?? null;
}

/** Returns the first text; a number counts as one. */
export function pickText(record: JsonObject, names: Names): string | null {
  for (const name of names) {
    const text = toText(atPath(record, name));
    if (text !== null) return text;
  }
  return null;
}

/** Maximum length of text that's read as a number, in UTF-16 units. */
const longestNumber = 100;

function isNumeric(text: string): boolean {
  return text.length <= longestNumber && text.trim() !== '' && Number.isFinite(Number(text));
}

/** Returns a number, also from text; null for anything else. */
export function pickNumber(record: JsonObject, names: Names): number | null {
  for (const name of names) {
    const value = atPath(record, name);
    const number = nearestNumber(value);
    if (number !== undefined && Number.isFinite(number)) return number;
    if (typeof value === 'string' && isNumeric(value)) return Number(value);
  }
  return null;
}

const idNames = anyOf('id');
/** Maximum number of ids read from one field. */
const maximumIds = 1000;

/** Returns all ids in one field: a list of ids, a list of records with an id, or a single id. */
export function pickIds(record: JsonObject, names: Names): readonly string[] {
  for (const name of names) {
    const value = atPath(record, name);
    const items = isJsonArray(value) ? value.slice(0, maximumIds) : [value];
    const ids = items.flatMap((item) => {
      const id = isJsonObject(item) ? pickText(item, idNames) : toText(item);
      return id === null ? [] : [id];
    });
    if (ids.length > 0) return ids;
  }
  return [];
}

/** Parses text that contains JSON; returns other values unchanged. */
export function parsedText(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
}

/** Returns the id in a Location header, after the first of these collections found in it; null when there's none or its encoding is invalid. */
export function locatedId(location: string | null, collections: readonly string[]): string | null {
  const id = new RegExp(`/(?:${collections.join('|')})/([^/?#]+)`).exec(location ?? '')?.[1];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}

// A time may be ISO text, seconds, milliseconds, microseconds or nanoseconds. A number's size determines its unit.

/** The upper bound of numbers in each unit, and their conversion to milliseconds. */
const units = [
  { below: 10n ** 11n, toMs: (value: bigint) => value * 1000n },
  { below: 10n ** 14n, toMs: (value: bigint) => value },
  { below: 10n ** 17n, toMs: (value: bigint) => value / 1000n },
] as const;
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

function validDate(milliseconds: number): Date | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Writes a number without an exponent: with all its digits, or down to thousandths. Undefined for what is no number, or none that's finite. */
function plainDigits(value: JsonValue | undefined): string | undefined {
  const written = numberText(value);
  if (written !== undefined && numeric.test(written)) return written;
  const number = nearestNumber(value);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  return Number.isInteger(number) ? BigInt(number).toString() : number.toFixed(3);
}

/** Decodes a point in time; returns null for any other value. Text without a time zone is read as UTC. */
export function parseTime(value: JsonValue | undefined): Date | null {
  // Nanoseconds have more digits than JavaScript's own numbers.
  const text = typeof value === 'string' ? value.trim() : plainDigits(value);
  if (text === undefined || text.length > longestText) return null;
  const digits = numeric.exec(text);
  if (digits) return validDate(fromDigits(digits[1] ?? '', digits[2] ?? ''));
  if (typeof value !== 'string') return null;
  return validDate(parseIsoTime(text) ?? Date.parse(text));
}

/** Returns the first readable time among the names. */
export function pickTime(record: JsonObject, names: Names): Date | null {
  for (const name of names) {
    const time = parseTime(atPath(record, name));
    if (time !== null) return time;
  }
  return null;
}

function plausibleDuration(milliseconds: number): number | null {
  return milliseconds >= 0 && milliseconds <= longestDurationMs ? milliseconds : null;
}

const durationNames = anyOf('durationMs', 'totalDurationMs', 'duration', 'executionTime');
const secondsNames = anyOf('elapsedTime');

/** Returns milliseconds: the difference of the two times when both are known, else the record's own duration. */
export function decodeDuration(
  record: JsonObject,
  startedAt: Date | null,
  completedAt: Date | null,
): number | null {
  if (startedAt && completedAt)
    return plausibleDuration(Math.max(0, completedAt.getTime() - startedAt.getTime()));
  const milliseconds = pickNumber(record, durationNames);
  if (milliseconds !== null) return plausibleDuration(milliseconds);
  const seconds = pickNumber(record, secondsNames);
  return seconds === null ? null : plausibleDuration(Math.round(seconds * 1000));
}
