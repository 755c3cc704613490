// Finds an error's message and code, which services put in different members.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, numberText } from '../../base/json.ts';
import { anyOf, pick } from '../decode/fields.ts';
import type { ErrorResponse } from '../http/completeResponse.ts';

/** In UTF-16 units. Longer than any text shown, so that the UI can say so. */
const maximumText = 4000;
/** Maximum number of faults, and of path segments of a fault; more than are shown. */
const maximumDetails = 100;

function firstError(record: JsonObject): JsonValue | undefined {
  const errors = record['errors'];
  return isJsonArray(errors) ? errors[0] : undefined;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, maximumText) : null;
}

/** Joins the messages of FastAPI's `[{loc, msg}]`. */
function joinedDetail(value: JsonValue | undefined): string | null {
  if (!isJsonArray(value)) return textOf(value);
  const parts = value
    .slice(0, maximumDetails)
    .map((item) => (isJsonObject(item) ? textOf(item['msg']) : textOf(item)));
  return textOf(parts.filter((part) => part !== null).join('; '));
}

type Look = (record: JsonObject) => string | null;

const messagePlaces: readonly Look[] = [
  (record) => textOf(pick(record, anyOf('error.message'))),
  (record) => textOf(record['error']),
  (record) => {
    const first = firstError(record);
    return isJsonObject(first) ? textOf(first['message']) : textOf(first);
  },
  (record) => textOf(record['message']),
  (record) => joinedDetail(record['detail']),
  (record) => textOf(record['title']),
  (record) => textOf(record['error_description']),
];

const lastPart = (text: string | null): string | null =>
  text === null ? null : (text.split(/[/#]/).findLast((part) => part !== '') ?? null);

const codePlaces: readonly Look[] = [
  (record) => textOf(pick(record, anyOf('error.code'))),
  (record) => textOf(record['code']),
  (record) => textOf(record['error_code']),
  (record) => {
    const first = firstError(record);
    return isJsonObject(first) ? textOf(first['code']) : null;
  },
  (record) => lastPart(textOf(record['type'])),
  (record) => textOf(pick(record, anyOf('error.details.code'))),
];

function firstOf(record: JsonObject, places: readonly Look[]): string | null {
  for (const look of places) {
    const found = look(record);
    if (found !== null) return found;
  }
  return null;
}

/** True for a web page in place of an API response. */
export function isHtml(response: Pick<ErrorResponse, 'headers' | 'text'>): boolean {
  const type = response.headers.get('content-type') ?? '';
  return (
    /^\s*(text\/html|application\/xhtml)/i.test(type) || /^\s*<(!doctype html|html[\s>])/i.test(response.text)
  );
}

/** Returns the service's own reason, else the reason phrase, else the status; never a web page's markup. */
export function errorMessage(response: ErrorResponse): string {
  const reported = isJsonObject(response.body)
    ? firstOf(response.body, messagePlaces)
    : textOf(response.body);
  if (reported !== null) return reported;
  if (response.body === undefined && !isHtml(response)) {
    const text = textOf(response.text.slice(0, 10 * maximumText).replace(/\s+/g, ' '));
    if (text !== null) return text;
  }
  return textOf(response.statusText) ?? `HTTP ${response.status}`;
}

/** Returns the error's code, or null. */
export function errorCode(response: ErrorResponse): string | null {
  return isJsonObject(response.body) ? firstOf(response.body, codePlaces) : null;
}

function pathText(path: JsonValue | undefined): string {
  const steps = isJsonArray(path) ? path.slice(0, maximumDetails) : [path];
  const names = steps.flatMap((step) => (typeof step === 'string' ? step : (numberText(step) ?? [])));
  return names.join('.').slice(0, maximumText);
}

/** Returns the faults with their paths, from the contract's `details` or FastAPI's `detail`. */
export function errorDetails(
  response: ErrorResponse,
): readonly { readonly path: string; readonly message: string }[] {
  if (!isJsonObject(response.body)) return [];
  const list = pick(response.body, anyOf('error.details', 'details', 'detail', 'errors'));
  if (!isJsonArray(list)) return [];
  return list.slice(0, maximumDetails).flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const message = textOf(pick(item, anyOf('message', 'msg')));
    const path = pick(item, anyOf('path', 'loc', 'field'));
    if (message === null) return [];
    return [{ path: pathText(path), message }];
  });
}
