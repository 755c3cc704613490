// Refusals to read, made from what a service would send.
import { parseJson } from '../../src/base/json.ts';
import type { ErrorResponse } from '../../src/api/http/completeResponse.ts';

/** body: text as it is, anything else as JSON. */
export function answerOf(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  statusText = '',
): ErrorResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return { status, statusText, headers: new Headers(headers), text, body: parseJson(text) };
}
