// Why: other windows and other people start executions too; a notice is only for those that this window started.
import type { ExecutionReading } from '../../api/readings.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ExecutionTarget } from '../../model/targets.ts';
import type { Executed } from '../../model/workflows/workflowActions.ts';

/** How many are waited for; one whose execution was never found would wait for good. */
const maximumAwaited = 1000;

export interface StartedHere extends Disposable {
  /** True, once, for an execution that this window started. */
  take(target: ExecutionTarget, execution: Pick<ExecutionReading, 'id' | 'eventIds'>): boolean;
}

/** Knows executions by what the execute call answered: their ids, else their events. */
export function createStartedHere(onDidExecute: Event<Executed>): StartedHere {
  const awaited = new Set<string>();
  const subscription = onDidExecute(({ target: { connectionId }, trigger }) => {
    const ids = trigger.executionIds.length > 0 ? trigger.executionIds : trigger.eventIds;
    for (const id of ids) awaited.add(`${connectionId}/${id}`);
    for (const name of awaited) {
      if (awaited.size <= maximumAwaited) break;
      awaited.delete(name);
    }
  });
  return {
    take: ({ connectionId, executionId }, { eventIds }) =>
      [executionId, ...eventIds].some((id) => awaited.delete(`${connectionId}/${id}`)),
    dispose: () => {
      subscription.dispose();
    },
  };
}
