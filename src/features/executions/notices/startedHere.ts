// Recognizes the executions that this window started, because other windows and other users start executions too.
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { WorkflowActions } from '../../../model/workflows/workflowActions.ts';
import type { Execution } from '../../../domain/execution.ts';

/** The limit for executions that are awaited, because some are never found. */
const maximumAwaited = 1000;

/** "probable": the service doesn't say which execution the window started. */
export type Certainty = 'certain' | 'probable';

export interface StartedHere extends Disposable {
  /** Returns a value once for an execution that this window started, and undefined for any other. */
  take(target: ExecutionTarget, execution: Pick<Execution, 'eventIds'>): Certainty | undefined;
}

/** Recognizes executions by the ids or else the events that the execute request returned, and by matches that are found later. */
export function createStartedHere({
  onDidExecute,
  onDidFindExecution,
}: Pick<WorkflowActions, 'onDidExecute' | 'onDidFindExecution'>): StartedHere {
  const awaited = new Map<string, Certainty>();
  const owned = new DisposableStore();
  const add = (connectionId: string, ids: readonly string[], certainty: Certainty): void => {
    for (const id of ids) awaited.set(`${connectionId}/${id}`, certainty);
    for (const name of awaited.keys()) {
      if (awaited.size <= maximumAwaited) break;
      awaited.delete(name);
    }
  };
  owned.add(
    onDidExecute(({ target: { connectionId }, trigger: { executionIds, eventIds } }) =>
      add(connectionId, executionIds.length > 0 ? executionIds : eventIds, 'certain'),
    ),
  );
  owned.add(
    onDidFindExecution(({ target: { connectionId }, match }) => {
      if (match.kind === 'unknown') return;
      add(connectionId, [match.executionId], match.kind === 'probable' ? 'probable' : 'certain');
    }),
  );
  return {
    take({ connectionId, executionId }, { eventIds }) {
      const names = [executionId, ...eventIds].map((id) => `${connectionId}/${id}`);
      const found = names.flatMap((name) => awaited.get(name) ?? []);
      for (const name of names) awaited.delete(name);
      return found.includes('certain') ? 'certain' : found[0];
    },
    dispose: () => owned.dispose(),
  };
}
