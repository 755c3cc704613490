import { isJsonArray, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import type { HttpAnswer, HttpAnswers } from '../../protocol/httpAnswers.ts';
import type { StrictMasking } from '../secrets/masking.ts';
import type { Plan } from '../store/plans.ts';

/**
 * Hides secrets in what a draft gives its nodes. The pins are the same object where there's nothing to hide. Rejects with a MaskError: a node
 * without its pin or its answer would send its request.
 */
export async function maskPlan(plan: Plan, masking: StrictMasking): Promise<Plan> {
  const pinned = await maskPins(plan.pinned, masking);
  if (plan.answers === undefined) return { ...plan, pinned };
  const answers = await Promise.all(
    Object.entries(plan.answers).map(
      async ([id, some]: readonly [string, HttpAnswers]) =>
        [id, await Promise.all(some.map((answer) => maskAnswer(answer, masking)))] as const,
    ),
  );
  return { ...plan, pinned, answers: Object.fromEntries(answers) };
}

/** The ids stay, even where a secret is the same: by them, nodes find their pins. */
async function maskPins(pinned: JsonObject, masking: StrictMasking): Promise<JsonObject> {
  const ids = Object.keys(pinned);
  const outputs = Object.values(pinned);
  const masked = await maskList(outputs, masking);
  return masked === outputs
    ? pinned
    : Object.fromEntries(ids.map((id, index) => [id, masked[index] ?? null]));
}

/** Its own words stay, even where a secret is the same. */
async function maskAnswer(answer: HttpAnswer, masking: StrictMasking): Promise<HttpAnswer> {
  if ('error' in answer) return answer;
  const { status, headers = {}, body = null } = answer;
  const values = await Promise.all(
    Object.entries(headers).map(async ([name, value]) => [name, await masking.text(value)] as const),
  );
  const [masked = null] = await maskList([body], masking);
  return { status, headers: Object.fromEntries(values), body: masked };
}

/** Masks all values at once, because each call takes time. Returns the same list where there's nothing to hide. */
async function maskList(values: readonly JsonValue[], masking: StrictMasking): Promise<readonly JsonValue[]> {
  const text = stringifyJson(values);
  const masked = await masking.json(text);
  if (masked === text) return values;
  const parsed = parseJson(masked);
  if (!isJsonArray(parsed)) throw new TypeError('A mask has changed the structure of a JSON text.');
  return parsed;
}
