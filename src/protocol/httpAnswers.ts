// What HTTP request nodes of a draft get instead of sending their requests (contract section 9).
import * as v from 'valibot';
import type { JsonValue } from '../base/json.ts';
import { members } from './members.ts';

const notStatus = 'must be a whole number from 100 to 599';
/** What an HTTP request node gets in a draft instead of sending its request: a response, or none. */
const HttpAnswer = v.union(
  [
    v.object({ error: v.picklist(['timeout', 'unreachable']) }),
    v.object({
      status: v.pipe(
        v.number(),
        v.integer(notStatus),
        v.minValue(100, notStatus),
        v.maxValue(599, notStatus),
      ),
      headers: v.exactOptional(members(v.string())),
      body: v.exactOptional(v.custom<JsonValue>((value) => value !== undefined)),
    }),
  ],
  'must have a "status" from 100 to 599, with "headers" of texts and a "body" where it has them, or be {"error": "timeout"} or {"error": "unreachable"}',
);
export type HttpAnswer = v.InferOutput<typeof HttpAnswer>;

/** One for each attempt, in order; the last one answers all further attempts. */
export const HttpAnswers = v.pipe(
  v.array(v.unknown(), 'must be a list of answers'),
  v.minLength(1, 'must have an answer'),
  v.maxLength(1000, 'must have at most 1,000 answers'),
  v.array(HttpAnswer),
);
export type HttpAnswers = readonly HttpAnswer[];

/** Returns undefined for anything else. */
export function readHttpAnswers(value: JsonValue): v.InferOutput<typeof HttpAnswers> | undefined {
  const decoded = v.safeParse(HttpAnswers, value);
  return decoded.success ? decoded.output : undefined;
}
