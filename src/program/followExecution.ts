import { unlessAborted } from '../base/async.ts';
import type { NodeLog } from '../domain/nodeLog.ts';
import type { Status } from '../domain/status.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import { isFinal, type FollowState } from '../model/executions/following.ts';
import type { OpenService } from './openService.ts';

export interface FollowListener {
  readonly onRows: (rows: readonly NodeLog[]) => void;
  /** The states before the end. */
  readonly onState: (state: FollowState) => void;
}

/** Follows an execution to its end. Rejects with what ended the following, or with the signal's reason; the execution goes on then. */
export async function followExecution(
  { executions, following }: Pick<OpenService, 'executions' | 'following'>,
  target: ExecutionTarget,
  { onRows, onState }: FollowListener,
  signal: AbortSignal,
): Promise<Status> {
  const kept = executions.keepLogs(target);
  const rows = kept.feed.onDidAppend((appended) => onRows(appended.rows));
  const follow = following.follow(target);
  const states = follow.state.onDidChange((state) => {
    if (!isFinal(state)) onState(state);
  });
  try {
    const last = await unlessAborted(follow.done, signal);
    if (last.kind === 'ended') return last.status;
    throw last.kind === 'failed' ? last.error : new DOMException('Cancelled', 'AbortError');
  } finally {
    follow.leave();
    states.dispose();
    rows.dispose();
    kept.dispose();
  }
}
