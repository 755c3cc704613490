// An output may not be there yet, and services say so in many ways (contract section 7.4).
import { isServiceError } from '../../domain/serviceError.ts';
import { operations } from '../../protocol/operations.ts';
import type { CallOptions } from '../client.ts';
import { decodeOutput } from '../decode/output.ts';
import { type Answer, isJsonType } from '../request/answers.ts';
import type { Transport } from '../request/transport.ts';
import type { ExecutionPlaces } from './executionPlaces.ts';
import { unreadable } from './pages.ts';
import type { Execution, Output } from '../../domain/execution.ts';

/** Answers that mean "not yet" for an execution that exists and runs. */
const notYetStatuses = new Set([404, 409, 425]);

function fromAnswer(answer: Answer): Output {
  const { body, mediaType, text } = answer;
  if (!isJsonType(mediaType) && mediaType !== '') return { kind: 'text', text, mediaType };
  if (body === undefined) throw unreadable(answer, 'JSON');
  return decodeOutput(body);
}

/** What the execution's own record tells when the output's answer holds none. */
function fromDetails({ status, output, error }: Execution): Output {
  if (!status.isTerminal) return { kind: 'notReady', status };
  return { kind: 'ready', output: output ?? null, error };
}

/** The output of an execution. get: reads the execution's record, which stands in for an output of its own. */
export async function fetchOutput(
  transport: Transport,
  get: (executionId: string, options?: CallOptions) => Promise<Execution>,
  values: ReturnType<ExecutionPlaces['values']>,
  options?: CallOptions,
): Promise<Output> {
  const { executionId } = values;
  const request = { operation: operations.getOutput, values: { ...values }, isOutput: true };
  try {
    const answer = await transport.call(request, options);
    const isEmpty = answer.status === 202 || answer.status === 204 || answer.text === '';
    if (!isEmpty) return fromAnswer(answer);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error.reason.kind !== 'notOffered' && !notYetStatuses.has(error.status)) throw error;
    const execution = await get(executionId, options);
    if (execution.status.isTerminal && execution.output === undefined) throw error;
    return fromDetails(execution);
  }
  return fromDetails(await get(executionId, options));
}
