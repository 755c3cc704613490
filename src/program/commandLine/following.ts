// Follows an execution for a command, and says what holds it up.
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { Status } from '../../domain/status.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import { renderShownLines } from '../../words/renderLogLine.ts';
import { secondsUntil } from '../../words/time.ts';
import { FollowingEnded } from '../errors.ts';
import { followExecution } from '../followExecution.ts';
import type { OpenService } from '../openService.ts';
import { type ExitCode, exitCodes, type Invocation } from './command.ts';

/** Rejects as `followExecution`, and with a FollowingEnded when the signal is aborted. */
export async function follow(
  { signal, terminal }: Pick<Invocation, 'signal' | 'terminal'>,
  service: OpenService,
  target: ExecutionTarget,
  onLines: (lines: readonly string[], rows: readonly NodeLog[]) => void,
): Promise<Status> {
  try {
    return await followExecution(
      service,
      target,
      {
        onRows: (rows) => onLines(renderShownLines(rows), rows),
        onState: (state) => {
          if (state.kind === 'pausedByLimit') terminal.logLimit(state.resumeAt, service.clock.now());
          else if (state.kind === 'catchingUp')
            terminal.log(
              `The connection was lost. Connecting again in ${secondsUntil(state.retryAt, service.clock.now())} s.`,
            );
        },
      },
      signal,
    );
  } catch (error) {
    throw signal.aborted ? new FollowingEnded(target.executionId, { cause: error }) : error;
  }
}

/** Of an execution that has ended. */
export function exitCodeOf({ state }: Status): ExitCode {
  return state === 'failed' || state === 'cancelled' ? exitCodes.no : exitCodes.done;
}
