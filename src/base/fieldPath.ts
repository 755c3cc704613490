// The path of a value inside another: `items[2].id`. A name is in quotes and brackets if it holds other characters: `output["a.b"]`.
import { stringifyJson } from './json.ts';

/** Names of members and indices of items, outermost first. */
export type FieldPath = readonly (string | number)[];

const plainName = /^[\p{L}\p{N}_$@-]+$/u;

/** `output.items[2].id`. */
export function formatField(path: FieldPath): string {
  return path.map(formatSegment).join('');
}

/** `at`: how many segments are before it. */
export function formatSegment(segment: string | number, at: number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  if (!plainName.test(segment)) return `[${stringifyJson(segment)}]`;
  return at === 0 ? segment : `.${segment}`;
}
