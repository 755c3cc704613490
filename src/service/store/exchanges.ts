// The request and the response of an HTTP request node, in a column of its ending log row.
import * as v from 'valibot';
import { isJsonObject, type JsonObject, stringifyJson } from '../../base/json.ts';
import type { JsonText, WritableObject } from '../jsonText.ts';
import type { SqlRow } from './database.ts';
import { nullableJson } from './rows.ts';

/** A request or a response. */
export interface HttpMessage {
  /** Everything but the body. */
  readonly head: JsonObject;
  /** JSON. */
  readonly body: string;
}

/** Contains no secret any more. */
export interface Exchange {
  readonly request: HttpMessage;
  /** null: there was none. */
  readonly response: HttpMessage | null;
  /** The request wasn't sent: a draft answered it. */
  readonly answered?: true | undefined;
}

const KeptMessage = v.object({ head: v.custom<JsonObject>(isJsonObject), body: v.string() });
const KeptExchange = v.object({
  request: KeptMessage,
  response: v.nullable(KeptMessage),
  answered: v.optional(v.literal(true)),
});

/** Returns the column's text. `keep`: stores a JSON text and returns its stored form. */
export async function keepExchange(
  { request, response, answered }: Exchange,
  keep: (value: string) => Promise<string>,
): Promise<string> {
  const keepMessage = async ({ head, body }: HttpMessage) => ({ head, body: await keep(body) });
  return stringifyJson({
    request: await keepMessage(request),
    response: response && (await keepMessage(response)),
    ...(answered && { answered }),
  });
}

/** Returns `request`, `response` and `answered` as a log row has them. `read`: reads the column `body` of a row. */
export async function readExchange(
  row: SqlRow,
  read: (row: SqlRow, column: string) => Promise<JsonText>,
): Promise<{
  readonly request?: WritableObject;
  readonly response?: WritableObject;
  readonly answered?: true;
}> {
  const kept = readKept(row);
  if (kept === null) return {};
  const readMessage = async ({ head, body }: HttpMessage) => ({
    ...head,
    body: await read({ body }, 'body'),
  });
  return {
    request: await readMessage(kept.request),
    ...(kept.response && { response: await readMessage(kept.response) }),
    ...(kept.answered && { answered: kept.answered }),
  };
}

/** Returns the request and the response of a row, whose bodies are in their stored form. */
export function readMessages(row: SqlRow): readonly (readonly ['request' | 'response', HttpMessage])[] {
  const kept = readKept(row);
  if (kept === null) return [];
  return [['request', kept.request], ...(kept.response ? [['response', kept.response] as const] : [])];
}

function readKept(row: SqlRow): v.InferOutput<typeof KeptExchange> | null {
  return v.parse(v.nullable(KeptExchange), nullableJson(row, 'exchange'));
}
