// What may stand for a value in what a test expects: {"$match": "…"}, {"$any": true}, {"$type": "string"}, {"$near": 1.5, "within": 0.1}.
import * as l10n from '@vscode/l10n';
import { isJsonArray, isJsonObject, type JsonValue, nearestNumber, typeOfJson } from '../base/json.ts';
import type { FieldPath } from '../base/fieldPath.ts';

const valueTypes = ['string', 'number', 'boolean', 'null', 'object', 'array'] as const;

export type Matcher =
  /** A text in which the regular expression finds something. */
  | { readonly kind: 'match'; readonly pattern: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'type'; readonly type: (typeof valueTypes)[number] }
  | { readonly kind: 'near'; readonly near: number; readonly within: number };

/** Why a matcher isn't one; a part of a sentence. */
interface MatcherFault {
  readonly fault: string;
}

const names = ['$match', '$any', '$type', '$near'] as const;
const maximumPattern = 1000;

/** Returns undefined for a value that stands for itself. */
export function readMatcher(value: JsonValue | undefined): Matcher | MatcherFault | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = names.find((each) => Object.hasOwn(value, each));
  if (name === undefined) return undefined;
  const given = value[name] ?? null;
  const { within } = value;
  const count = Object.keys(value).length;
  if (count > (name === '$near' && within !== undefined ? 2 : 1))
    return { fault: l10n.t('a matcher has no other members than "{0}"', name) };
  switch (name) {
    case '$match':
      return readPattern(given);
    case '$any':
      return given === true ? { kind: 'any' } : { fault: l10n.t('"{0}" must be true', name) };
    case '$type':
      return readType(given);
    case '$near':
      return readNear(given, within);
  }
}

function readPattern(given: JsonValue): Matcher | MatcherFault {
  if (typeof given !== 'string' || given.length > maximumPattern)
    return {
      fault: l10n.t('"$match" must be a regular expression of at most {0} characters', maximumPattern),
    };
  try {
    new RegExp(given, 'u');
    return { kind: 'match', pattern: given };
  } catch {
    return { fault: l10n.t('"$match" isn\'t a valid regular expression') };
  }
}

function readType(given: JsonValue): Matcher | MatcherFault {
  const type = valueTypes.find((each) => each === given);
  return type === undefined
    ? { fault: l10n.t('"$type" must be one of {0}', valueTypes.map((each) => `"${each}"`).join(', ')) }
    : { kind: 'type', type };
}

function readNear(given: JsonValue, distance: JsonValue | undefined): Matcher | MatcherFault {
  const [near, within] = [nearestNumber(given), nearestNumber(distance)];
  return near === undefined || within === undefined || within < 0
    ? { fault: l10n.t('"$near" and "within" must be numbers, and "within" at least 0') }
    : { kind: 'near', near, within };
}

/** Whether the value is what the matcher asks for; undefined for a pattern and a text, which are to be tried elsewhere. */
export function matches(matcher: Matcher, value: JsonValue | undefined): boolean | undefined {
  if (value === undefined) return false;
  switch (matcher.kind) {
    case 'any':
      return true;
    case 'type':
      return typeOfJson(value) === matcher.type;
    case 'near': {
      const number = nearestNumber(value);
      return number !== undefined && isNear(number, matcher);
    }
    case 'match':
      return typeof value === 'string' ? undefined : false;
  }
}

/** 1.6 is as near to 1.5 as 0.1 says, although the difference of the two is more: what is written in decimals is rounded. */
function isNear(number: number, { near, within }: Extract<Matcher, { readonly kind: 'near' }>): boolean {
  const rounding = Number.EPSILON * Math.max(Math.abs(number), Math.abs(near));
  return Math.abs(number - near) - within <= rounding;
}

/** The matchers in a value that aren't one, each with its path. */
export function findMatcherFaults(
  value: JsonValue,
  path: FieldPath = [],
): readonly (MatcherFault & { readonly path: FieldPath })[] {
  const matcher = readMatcher(value);
  if (matcher !== undefined) return 'fault' in matcher ? [{ ...matcher, path }] : [];
  if (isJsonArray(value)) return value.flatMap((item, at) => findMatcherFaults(item, [...path, at]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => findMatcherFaults(member, [...path, name]));
}

/** Returns the value, with a matcher in place of each part that would be read as one. */
export function escapeMatchers(value: JsonValue): JsonValue {
  if (readMatcher(value) !== undefined) return { $type: 'object' };
  if (isJsonArray(value)) return value.map(escapeMatchers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeMatchers(member)]));
}
