// Once a run has begun, nothing that fails in remembering its input may read as if it had not.
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { InputDrafts } from './inputDrafts.ts';
import type { InputHistory } from './inputHistory.ts';

export interface InputMemory {
  readonly drafts: Pick<InputDrafts, 'recordInput'>;
  readonly history: Pick<InputHistory, 'record'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Remembers what a workflow was executed with; never rejects: a failure is logged. */
export async function rememberInput(
  { drafts, history, logger }: InputMemory,
  target: WorkflowTarget,
  input: JsonObject,
): Promise<void> {
  const outcomes = await Promise.allSettled([
    drafts.recordInput(target, input),
    history.record(target, input),
  ]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected')
    logger.warn(`The input of an execution can't be remembered: ${String(failed.reason)}`);
}
