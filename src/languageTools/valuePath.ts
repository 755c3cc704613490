// One value inside another: `output.items[2].id`, `["an odd name"]`. `[10:20]`, `[10:]` and `[:20]` at the end are a part of a list, of the members
// of an object, or of a text, counted from 0.
import { isJsonArray, isJsonObject, type JsonValue, parseJson, valueAt } from '../base/json.ts';
import type { Hide } from '../base/masking.ts';
import type { FieldPath } from '../base/fieldPath.ts';

export interface ValuePath {
  readonly steps: FieldPath;
  readonly part: ValuePart | undefined;
}

interface ValuePart {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** A value inside another one, or a part of it. */
export interface SelectedValue {
  readonly value: JsonValue;
  readonly path: FieldPath;
  /** What was left out before the part. */
  readonly from: number;
}

const token = /\.?([^.[\]"]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]|\[(\d{0,9}):(\d{0,9})\]$/uy;

/** Returns undefined for a text that is no path. '' is the whole value. */
export function parseValuePath(text: string): ValuePath | undefined {
  if (text.startsWith('.')) return undefined;
  const steps: (string | number)[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const isDotted = token.lastIndex === 0 || text[token.lastIndex] === '.';
    const [, name, index, quoted, from, to] = token.exec(text) ?? [];
    if (name !== undefined && isDotted) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (from !== undefined)
      return {
        steps,
        part: { from: Number(from), to: to === undefined || to === '' ? Infinity : Number(to) },
      };
    else {
      const member = quoted === undefined ? undefined : parseJson(quoted);
      if (typeof member !== 'string') return undefined;
      steps.push(member);
    }
  }
  return { steps, part: undefined };
}

/** Returns undefined where there's no such value. `hide`: of a text, what isn't masked is counted. */
export function selectValue(
  whole: JsonValue,
  { steps, part }: ValuePath,
  hide: Hide,
): SelectedValue | undefined {
  const value = valueAt(whole, steps);
  if (value === undefined) return undefined;
  if (part === undefined) return { value, path: steps, from: 0 };
  const { from, to } = part;
  if (typeof value === 'string') return { value: hide(value).slice(from, to), path: steps, from };
  if (isJsonArray(value)) return { value: value.slice(from, to), path: steps, from };
  if (!isJsonObject(value)) return undefined;
  return { value: Object.fromEntries(Object.entries(value).slice(from, to)), path: steps, from };
}
