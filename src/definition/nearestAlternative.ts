// For a value that matches none of several alternatives, what is wrong with it by the nearest one.
import { noneWords, orWords, typeWords, valueWords } from './schemaWords.ts';
import { type JsonValue, stringifyJson } from '../base/json.ts';

export interface SchemaFault {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly message: string;
  /** What `type`, `const` and `enum` allow, as it's written. */
  readonly wanted: readonly string[];
  /** The value that is there. */
  readonly value: JsonValue;
}

export interface Alternatives {
  /** Where the value is. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** What is wrong by each alternative: at least one fault. */
  readonly faults: readonly (readonly SchemaFault[])[];
  /** Names of the members that distinguish the alternatives. */
  readonly discriminators: ReadonlySet<string>;
}

type FaultTest = (fault: SchemaFault) => boolean;

/** Returns what is wrong by the nearest alternative; where several are as near, what they have in common. */
export function nearestFaults(alternatives: Alternatives): readonly SchemaFault[] {
  const { path, faults, discriminators } = alternatives;
  const depth = path.length;
  const isOwn: FaultTest = (fault) => fault.path.length === depth;
  const isMember: FaultTest = (fault) => fault.path.length === depth + 1;
  // Another type, or another kind by its discriminator: if that is so for all alternatives, the message names what they allow.
  const isOtherType: FaultTest = (fault) => isOfType(fault) && isOwn(fault);
  const isOtherKind: FaultTest = (fault) =>
    isOfValue(fault) && (isOwn(fault) || (isMember(fault) && discriminators.has(fault.path.at(-1) ?? '')));
  let near = faults;
  for (const isOther of [isOtherType, isOtherKind]) {
    const fitting = near.filter((each) => !each.some(isOther));
    const merged = fitting.length === 0 ? merge(near, isOther) : undefined;
    if (merged !== undefined) return [merged];
    if (fitting.length > 0) near = fitting;
  }
  const isShape: FaultTest = (fault) => isOwn(fault) || (fault.keyword === 'false' && isMember(fault));
  const ranked = near.map((each) => ({ each, rank: rankOf(each, isShape) }));
  const [first, ...others] = ranked.toSorted((one, other) => compare(one.rank, other.rank));
  if (first === undefined) return [];
  const nearest = [first, ...others.filter(({ rank }) => compare(rank, first.rank) === 0)];
  return nearest.length === 1
    ? first.each
    : inCommon(
        nearest.map(({ each }) => each),
        alternatives,
      );
}

/** Lower is nearer: fewer faults of the value's shape, fewer faults, and deeper ones. */
function rankOf(faults: readonly SchemaFault[], isShape: FaultTest): readonly number[] {
  const depth = faults.reduce((least, { path }) => Math.min(least, path.length), Number.POSITIVE_INFINITY);
  return [faults.filter(isShape).length, faults.length, -depth];
}

function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((value, index) => value - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function inCommon(
  near: readonly (readonly SchemaFault[])[],
  { path, value, faults: all }: Alternatives,
): readonly SchemaFault[] {
  const [first = [], ...others] = near;
  const keys = others.map((faults) => new Set(faults.map(keyOf)));
  const shared = first.filter((fault) => keys.every((each) => each.has(keyOf(fault))));
  if (shared.length > 0) return shared;
  for (const isOf of [isOfValue, isOfType]) {
    const merged = merge(near, isOf);
    if (merged !== undefined) return [merged];
  }
  const place = keyPath(first[0]);
  const singles = near.flatMap((faults) =>
    faults.length === 1 && keyPath(faults[0]) === place ? faults : [],
  );
  const [single] = singles;
  const whole = { path, keyword: 'anyOf', wanted: [], value };
  return single !== undefined && singles.length === near.length && singles.length <= 3
    ? [{ ...whole, path: single.path, message: orWords(singles.map(({ message }) => message)) }]
    : [{ ...whole, message: noneWords(all.length) }];
}

const isOfValue: FaultTest = ({ keyword }) => keyword === 'const' || keyword === 'enum';
const isOfType: FaultTest = ({ keyword }) => keyword === 'type';

/** One fault for what all alternatives say about the same place: all the values, or all the types, that one of them allows. */
function merge(near: readonly (readonly SchemaFault[])[], isOf: FaultTest): SchemaFault | undefined {
  const all = near.map((faults) => faults.find(isOf));
  const [first] = all;
  if (first === undefined || all.some((fault) => keyPath(fault) !== keyPath(first))) return undefined;
  const wanted = [...new Set(all.flatMap((fault) => fault?.wanted ?? []))];
  const { path, value } = first;
  return isOfType(first)
    ? { path, value, keyword: 'type', wanted, message: typeWords(wanted, value) }
    : { path, value, keyword: 'enum', wanted, message: valueWords(wanted) };
}

function keyPath(fault: SchemaFault | undefined): string | undefined {
  return fault && stringifyJson(fault.path);
}

function keyOf(fault: SchemaFault): string {
  return `${keyPath(fault)} ${fault.message}`;
}
