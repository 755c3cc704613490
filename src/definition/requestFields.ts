// What an HTTP request node sends as a query or a form: names with texts, numbers, booleans, or lists of these (contract section 10).
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** Whether an object is sent as a form with this Content-Type. */
export function isFormType(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

/** The same for the headers of a config, as far as no template decides it. */
export function sendsForm(headers: JsonValue | undefined): boolean {
  if (!isJsonObject(headers)) return false;
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return typeof type === 'string' && isFormType(type);
}

/** Returns the paths of the values that can't be sent in this form. */
export function findNested(fields: JsonObject): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (!isJsonArray(value)) return isNested(value) ? [[name]] : [];
    return value.flatMap((item, index) => (isNested(item) ? [[name, String(index)]] : []));
  });
}

function isNested(value: JsonValue): boolean {
  return isJsonArray(value) || isJsonObject(value);
}
