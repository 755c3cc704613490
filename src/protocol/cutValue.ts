// A value of a node log that is too large for a page of them: its place holds its size and its beginning (contract section 1).
import { isJsonObject, type JsonValue } from '../base/json.ts';

export interface CutValue {
  /** Of the whole value, as JSON. */
  readonly bytes: number;
  /** Where its JSON begins. */
  readonly preview: string;
}

/** What stands in place of a value; undefined for the value itself. */
export function cutValue(value: JsonValue | undefined): CutValue | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const cut = value['$cut'];
  if (!isJsonObject(cut)) return undefined;
  const { bytes, preview } = cut;
  const isSize = typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0;
  return isSize && typeof preview === 'string' ? { bytes, preview } : undefined;
}
