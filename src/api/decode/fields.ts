// Looks up fields under all the names that services use for them.
import { isJsonObject, type JsonObject, type JsonValue, parseJson, isJsonArray } from '../../base/json.ts';

/** Names of one field in order of preference. A dot goes one level down. */
export type Names = readonly string[];

/** `workflowId` → `workflow_id`. Names in snake case stay as they are. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_match, before: string, after: string) => {
    return `${before}_${after.toLowerCase()}`;
  });
}

interface Step {
  readonly name: string;
  readonly twin: string;
}

/** Caches the steps of each path. The names are the client's own, so there are few. */
const knownPaths = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  const known = knownPaths.get(path);
  if (known !== undefined) return known;
  const steps = path.split('.').map((name) => ({ name, twin: snakeCase(name) }));
  knownPaths.set(path, steps);
  return steps;
}

function atPath(record: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const { name, twin } of stepsOf(path)) {
    if (!isJsonObject(value)) return undefined;
    value = Object.hasOwn(value, name) ? value[name] : Object.hasOwn(value, twin) ? value[twin] : undefined;
  }
  return value;
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

/** Returns text, or a number as text, because ids may be numbers; null for anything else. */
export function pickText(record: JsonObject, names: Names): string | null {
  for (const name of names) {
    const value = atPath(record, name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
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
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'string' && isNumeric(value)) return Number(value);
  }
  return null;
}

/** Maximum number of ids read from one field. */
const maximumIds = 1000;

/** Returns all ids in one field: a list of ids, a list of records with an id, or a single id. */
export function pickIds(record: JsonObject, names: Names): readonly string[] {
  for (const name of names) {
    const value = atPath(record, name);
    const items = isJsonArray(value) ? value.slice(0, maximumIds) : [value];
    const ids = items.flatMap((item) => {
      if (typeof item === 'string' && item !== '') return [item];
      if (typeof item === 'number') return [String(item)];
      const id = isJsonObject(item) ? pickText(item, ['id']) : null;
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
