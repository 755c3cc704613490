// Follows an execution by asking again and again, where the service has no stream (contract section 7.4).
import { wait } from '../../base/time.ts';
import { isServiceError, ServiceError } from '../../domain/serviceError.ts';
import type { LogsRead } from '../resources/nodeLogs.ts';
import { pollDelay, reconnectDelay } from './backOff.ts';
import { type FollowContext, takeNew } from './follow.ts';
import { pauseUntil, untilAllowed } from './pausing.ts';
import { triage } from './triage.ts';
import type { FollowItem } from './items.ts';

/** The rows that are new; none where the service keeps no logs, the status alone is followed then. */
async function newRows(context: FollowContext): Promise<LogsRead> {
  try {
    return await takeNew(context);
  } catch (error) {
    if (isServiceError(error, 'notOffered')) return { rows: [], isWhole: true };
    throw error;
  }
}

/** What to say about a failed poll and how long to wait. Throws what cannot heal. */
function afterFailure(error: unknown, { progress, random, clock }: FollowContext): FollowItem | undefined {
  if (!(error instanceof ServiceError)) throw error;
  const verdict = triage(error);
  if (verdict === 'limit') return pauseUntil(error, clock);
  if (verdict === 'gap' && progress.after !== undefined) {
    progress.restart();
    return undefined;
  }
  if (verdict !== 'drop') throw error;
  const retryInMs = reconnectDelay(progress.failures, 0, random);
  progress.failures += 1;
  return { kind: 'lost', error, retryInMs };
}

/** Polls until the execution's own end. The status is read before the rows, so that an end leaves none behind. */
export async function* poll(context: FollowContext): AsyncGenerator<FollowItem, void, void> {
  const { get, executionId, progress, clock, purpose, random, signal } = context;
  let isOpen = false;
  let idlePolls = -1;
  for (;;) {
    if (yield* untilAllowed(context)) isOpen = false;
    let delay: number;
    try {
      const { status } = await get(executionId, { signal, purpose });
      const { rows, isWhole } = await newRows(context);
      progress.failures = 0;
      if (!isOpen) yield { kind: 'open', by: 'polling' };
      isOpen = true;
      for (const log of rows) yield { kind: 'log', log };
      if (status.isTerminal && isWhole) return yield { kind: 'end', status };
      idlePolls = rows.length > 0 ? 0 : idlePolls + 1;
      delay = isWhole ? pollDelay(idlePolls, random) : 0;
    } catch (error) {
      const item = afterFailure(error, context);
      if (item) yield item;
      isOpen = item === undefined;
      delay = item?.kind === 'lost' ? item.retryInMs : item?.kind === 'paused' ? item.resumeInMs : 0;
    }
    await wait(clock, delay, signal);
  }
}
