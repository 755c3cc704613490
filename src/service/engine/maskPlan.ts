import type { HttpAnswer, HttpAnswers } from '../../protocol/httpAnswers.ts';
import type { Masking } from '../secrets/masking.ts';
import type { Plan } from '../store/plans.ts';

type Mask = Pick<Masking, 'text' | 'object'>;

/** Hides secrets in what a draft gives its nodes. The pins are the same object where there's nothing to hide. */
export async function maskPlan(plan: Plan, masking: Mask): Promise<Plan> {
  const pinned = await masking.object(plan.pinned);
  if (plan.answers === undefined) return { ...plan, pinned };
  const answers = await Promise.all(
    Object.entries(plan.answers).map(
      async ([id, some]: readonly [string, HttpAnswers]) =>
        [id, await Promise.all(some.map((answer) => maskAnswer(answer, masking)))] as const,
    ),
  );
  return { ...plan, pinned, answers: Object.fromEntries(answers) };
}

/** Its own words stay, even where a secret is the same. */
async function maskAnswer(answer: HttpAnswer, masking: Mask): Promise<HttpAnswer> {
  if ('error' in answer) return answer;
  const { status, headers = {}, body = null } = answer;
  const values = await Promise.all(
    Object.entries(headers).map(async ([name, value]) => [name, await masking.text(value)] as const),
  );
  const masked = await masking.object({ body });
  return { status, headers: Object.fromEntries(values), body: masked['body'] ?? null };
}
