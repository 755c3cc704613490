import { equalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FieldPath } from '../../base/fieldPath.ts';

/** One field that differs. A side is undefined where it has no such field. */
export interface Difference {
  readonly path: FieldPath;
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

/** What counts as the same besides what is equal. */
export interface ComparisonRules {
  /** Whether the right value is what the left one asks for; undefined: as their parts are. */
  readonly decide?: (left: JsonValue | undefined, right: JsonValue | undefined) => boolean | undefined;
  /** Members that the right side alone has are no differences. */
  readonly isPartial?: boolean;
}

/** How many values are looked at between two steps. */
const valuesInStep = 500;

/** Where the walk is, and how many values it has looked at. */
interface Walk {
  readonly path: (string | number)[];
  readonly rules: ComparisonRules;
  seen: number;
}

type Steps = Generator<Difference | null, void>;

function* walkItems(left: readonly JsonValue[], right: readonly JsonValue[], walk: Walk): Steps {
  const length = Math.max(left.length, right.length);
  for (let at = 0; at < length; at += 1) yield* walkBelow(at, left[at], right[at], walk);
}

function* walkMembers(left: JsonObject, right: JsonObject, walk: Walk): Steps {
  for (const name of Object.keys(left))
    yield* walkBelow(name, left[name], Object.hasOwn(right, name) ? right[name] : undefined, walk);
  if (walk.rules.isPartial === true) return;
  for (const name of Object.keys(right))
    if (!Object.hasOwn(left, name)) yield* walkBelow(name, undefined, right[name], walk);
}

function* walkBelow(
  segment: string | number,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  walk: Walk,
): Steps {
  walk.path.push(segment);
  yield* walkValues(left, right, walk);
  walk.path.pop();
}

function* walkValues(left: JsonValue | undefined, right: JsonValue | undefined, walk: Walk): Steps {
  walk.seen += 1;
  if (walk.seen % valuesInStep === 0) yield null;
  const decided = walk.rules.decide?.(left, right);
  if (decided !== undefined) {
    if (!decided) yield { path: [...walk.path], left, right };
  } else if (isJsonArray(left) && isJsonArray(right)) yield* walkItems(left, right, walk);
  else if (isJsonObject(left) && isJsonObject(right)) yield* walkMembers(left, right, walk);
  else if (!equalJson(left, right)) yield { path: [...walk.path], left, right };
}

/**
 * Yields what differs, in the order of the left value; the order of members alone is no difference. Yields null from time to time, so
 * that the caller can let others go on.
 */
export function walkDifferences(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  path: FieldPath,
  rules: ComparisonRules = {},
): Generator<Difference | null, void> {
  return walkValues(left, right, { path: [...path], rules, seen: 0 });
}
