// How expressions compute with numbers that JavaScript can't hold. Runs in a worker.
import { truncateText } from '../../base/format.ts';
import {
  isExactNumber,
  isJsonArray,
  isJsonObject,
  type ExactNumber,
  type JsonObject,
  type JsonValue,
} from '../../base/json.ts';
import { writeName } from '../../definition/references.ts';
import type { Rounding } from './messages.ts';

/** How many numbers are noted, and how many characters of each. */
const maximumRoundings = 20;
const maximumCharacters = 80;

/** The numbers that the expressions of one task have read as the nearest ones, by place. */
export class Roundings {
  readonly #found = new Map<string, Rounding>();

  note(place: string, given: string): void {
    if (this.#found.size >= maximumRoundings || this.#found.has(place)) return;
    const rounding = {
      place: truncateText(place, maximumCharacters),
      given: truncateText(given, maximumCharacters),
      used: String(Number(given)),
    };
    this.#found.set(place, rounding);
  }

  /** Returns what was noted, and forgets it. */
  take(): readonly Rounding[] {
    const found = [...this.#found.values()];
    this.#found.clear();
    return found;
  }
}

/**
 * Returns the value with the nearest number in place of each exact one, and copies only what leads to one. Reading such a number notes it.
 * `place`: how an expression names the value.
 */
export function withNotedNumbers(value: JsonValue, place: string, roundings: Roundings): JsonValue {
  const leading = new Set<JsonValue>();
  const copy = (part: JsonValue, at: string): JsonValue => {
    if (!leading.has(part)) return part;
    if (isJsonArray(part)) {
      const items: JsonValue[] = [];
      for (const [index, item] of part.entries()) define(items, String(index), item, `${at}[${index}]`);
      return items;
    }
    const members: JsonObject = {};
    if (isJsonObject(part))
      for (const [name, member] of Object.entries(part)) define(members, name, member, memberPlace(at, name));
    return members;
  };
  /** Defines a member instead of assigning it, as its name can be `__proto__`. */
  const define = (target: object, name: string, member: JsonValue, at: string): void => {
    const how: PropertyDescriptor = isExactNumber(member)
      ? { get: () => readNearest(member, at, roundings) }
      : { value: copy(member, at), writable: true };
    Object.defineProperty(target, name, { enumerable: true, configurable: true, ...how });
  };
  findLeading(value, leading);
  return copy(value, place);
}

/** The place of a member, as an expression names it. */
export function memberPlace(place: string, name: string): string {
  return `${place}.${writeName(name) ?? `\`${name}\``}`;
}

export function readNearest(number: ExactNumber, place: string, roundings: Roundings): number {
  roundings.note(place, number.rawJSON);
  return Number(number.rawJSON);
}

/** Finds the lists and objects that lead to an exact number. */
function findLeading(value: JsonValue, leading: Set<JsonValue>): boolean {
  if (isExactNumber(value)) return true;
  const parts = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  let leads = false;
  for (const part of parts) if (findLeading(part, leading)) leads = true;
  if (leads) leading.add(value);
  return leads;
}
