// The request of an HTTP request node, and its response.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

type Headers = Readonly<Record<string, string>>;

interface HttpRequest extends JsonObject {
  readonly method: string;
  readonly url: string;
  /** `{status, url}` of each redirect, in order; missing where there was none. */
  readonly redirects?: readonly JsonValue[];
  readonly headers: Headers;
  readonly body: JsonValue;
}

interface HttpResponse extends JsonObject {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonValue;
}

/** Headers that authorize are hidden in both. */
export interface HttpExchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse | undefined;
}

/** Decodes the value of a node run; undefined for any other value, such as one that was truncated. */
export function readExchange(value: JsonValue | undefined): HttpExchange | undefined {
  if (!isJsonObject(value) || !isJsonObject(value['request'])) return undefined;
  const { request, response } = value;
  const { method, url, redirects, body = null } = request;
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  const hops = isJsonArray(redirects) && { redirects };
  return {
    request: { method, url, ...hops, headers: readHeaders(request), body },
    response: readResponse(response),
  };
}

function readResponse(value: JsonValue | undefined): HttpResponse | undefined {
  if (!isJsonObject(value)) return undefined;
  const { status, body = null } = value;
  return typeof status === 'number' ? { status, headers: readHeaders(value), body } : undefined;
}

function readHeaders({ headers }: JsonObject): Headers {
  if (!isJsonObject(headers)) return {};
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** A request to show, without credentials. */
export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
