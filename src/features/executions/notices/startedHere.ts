import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Execution } from '../../../domain/execution.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import type { App } from '../../../ui/app.ts';
import type { Certainty } from './renderNotice.ts';

/** The limit for executions that are awaited, because some are never found. */
const maximumAwaited = 1000;

function namesOf(
  { connectionId, executionId }: ExecutionTarget,
  { eventIds }: Pick<Execution, 'eventIds'>,
): readonly string[] {
  return [executionId, ...eventIds].map((id) => `${connectionId}/${id}`);
}

/**
 * Recognizes the executions that this window started, because other windows and other users start executions too: by the ids or else
 * the events that the execute request returned, and by matches that are found later.
 */
export class StartedHere implements Disposable {
  readonly #awaited = new Map<string, Certainty>();
  readonly #owned = new DisposableStore();

  constructor({
    onDidExecute,
    onDidFindExecution,
  }: Pick<App['actions'], 'onDidExecute' | 'onDidFindExecution'>) {
    this.#owned.add(
      onDidExecute(({ target: { connectionId }, trigger: { executionIds, eventIds } }) =>
        this.#await(connectionId, executionIds.length > 0 ? executionIds : eventIds, 'certain'),
      ),
    );
    this.#owned.add(
      onDidFindExecution(({ target: { connectionId }, match }) => {
        if (match.kind === 'unknown') return;
        this.#await(connectionId, [match.executionId], match.kind === 'probable' ? 'probable' : 'certain');
      }),
    );
  }

  /** True until its end was taken. */
  has(target: ExecutionTarget, execution: Pick<Execution, 'eventIds'>): boolean {
    return namesOf(target, execution).some((name) => this.#awaited.has(name));
  }

  /** Returns a value once for an execution that this window started, and undefined for any other. */
  take(target: ExecutionTarget, execution: Pick<Execution, 'eventIds'>): Certainty | undefined {
    const names = namesOf(target, execution);
    const found = names.flatMap((name) => this.#awaited.get(name) ?? []);
    for (const name of names) this.#awaited.delete(name);
    return found.includes('certain') ? 'certain' : found[0];
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #await(connectionId: string, ids: readonly string[], certainty: Certainty): void {
    for (const id of ids) this.#awaited.set(`${connectionId}/${id}`, certainty);
    for (const name of this.#awaited.keys()) {
      if (this.#awaited.size <= maximumAwaited) break;
      this.#awaited.delete(name);
    }
  }
}
