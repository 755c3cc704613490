// Array.isArray turns a JSON list into a list of anything; this look keeps its items JSON.
import type { JsonValue } from '../base/json.ts';

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
