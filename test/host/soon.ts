// A test that only waits for an end passes however slow the way is. What a person waits for has a bound of its own.
import assert from 'node:assert/strict';

/** Less than a window waits for an answer, so that only a fault exceeds it, however slow the machine is. */
const longestWaitMs = 25_000;

/** Takes a step that a person waits for; rejects when it takes 25 s or more, also if it succeeds. */
export async function soon<T>(step: string, take: () => PromiseLike<T>): Promise<T> {
  const began = performance.now();
  const result = await take();
  const tookMs = Math.round(performance.now() - began);
  assert.ok(tookMs < longestWaitMs, `${step} took ${tookMs} ms`);
  return result;
}
