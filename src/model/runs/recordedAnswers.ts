// The answers that a draft gets to behave like an execution that was recorded.
import { readExchange } from '../../domain/httpExchange.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import type { HttpAnswer } from '../../protocol/httpAnswers.ts';

const errors = new Map<string | null | undefined, 'timeout' | 'unreachable'>([
  ['request_timed_out', 'timeout'],
  ['request_failed', 'unreachable'],
]);

/** What the request of a node run got; undefined if it sent none, or failed in another way. */
export function recordedAnswer({
  exchange,
  error,
}: Pick<NodeRun, 'exchange' | 'error'>): HttpAnswer | undefined {
  const recorded = readExchange(exchange);
  if (recorded === undefined) return undefined;
  if (recorded.response !== undefined) return { ...recorded.response };
  const failure = errors.get(error?.code);
  return failure && { error: failure };
}
