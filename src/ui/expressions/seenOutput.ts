// What the expressions of later nodes see of a node run.
import type { JsonValue } from '../../base/json.ts';
import { readExchange } from '../../domain/httpExchange.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';

/** The output, or what stands for it where the run failed (contract section 10); undefined if it isn't known as a whole. */
export function seenOutput(run: NodeRun): JsonValue | undefined {
  if (run.status?.state === 'failed') return seenError(run);
  return truncatedValue(run.output) === undefined ? run.output : undefined;
}

function seenError({ error, exchange }: NodeRun): JsonValue | undefined {
  if (typeof error?.code !== 'string') return undefined;
  const { code, message } = error;
  if (code !== 'http_status') return { error: { code, message } };
  const response = readExchange(exchange)?.response;
  if (response === undefined || truncatedValue(response.body) !== undefined) return undefined;
  return { error: { code, message, status: response.status, response } };
}
