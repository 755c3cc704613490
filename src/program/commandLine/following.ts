// Follows an execution for a command, and says what holds it up.
import { unlessAborted } from '../../base/async.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { Status } from '../../domain/status.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { renderShownLines } from '../../words/renderLogLine.ts';
import { secondsUntil } from '../../words/time.ts';
import type { OpenService } from '../openService.ts';
import { type ExitCode, exitCodes, type Invocation } from './command.ts';

/** Nobody follows an execution any more, which goes on. */
export class FollowingEnded extends Error {
  override readonly name = 'FollowingEnded';
  readonly executionId: string;

  constructor(executionId: string, options: ErrorOptions) {
    super('The execution is no longer followed.', options);
    this.executionId = executionId;
  }
}

/** To the end. Rejects with what ended the following, or with a FollowingEnded when the signal is aborted; the execution goes on then. */
export async function follow(
  { signal, terminal }: Pick<Invocation, 'signal' | 'terminal'>,
  { clock, executions, following }: OpenService,
  target: ExecutionTarget,
  onLines: (lines: readonly string[], rows: readonly NodeLog[]) => void,
): Promise<Status> {
  const kept = executions.keepLogs(target);
  const appended = kept.feed.onDidAppend(({ rows }) => onLines(renderShownLines(rows), rows));
  const followed = following.follow(target);
  const states = followed.state.onDidChange((state) => {
    if (state.kind === 'pausedByLimit') terminal.logLimit(state.resumeAt, clock.now());
    else if (state.kind === 'catchingUp')
      terminal.log(
        `The connection was lost. Connecting again in ${secondsUntil(state.retryAt, clock.now())} s.`,
      );
  });
  try {
    const last = await unlessAborted(followed.done, signal);
    if (last.kind === 'ended') return last.status;
    throw last.kind === 'failed' ? last.error : new DOMException('Cancelled', 'AbortError');
  } catch (error) {
    throw signal.aborted ? new FollowingEnded(target.executionId, { cause: error }) : error;
  } finally {
    followed.leave();
    states.dispose();
    appended.dispose();
    kept.dispose();
  }
}

/** Of an execution that has ended. */
export function exitCodeOf({ state }: Status): ExitCode {
  return state === 'failed' || state === 'cancelled' ? exitCodes.no : exitCodes.done;
}
