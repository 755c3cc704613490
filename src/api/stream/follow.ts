// Follows one execution until its own end: by stream where there is one, through drops, else by polling (contract section 7.5).
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { type Clock, wait } from '../../base/time.ts';
import { isServiceError, ServiceError } from '../../domain/serviceError.ts';
import { operations } from '../../protocol/operations.ts';
import type { Status } from '../../domain/status.ts';
import type { LogsRead } from '../resources/nodeLogs.ts';
import { decodeNodeLog } from '../decode/nodeLog.ts';
import { logRows } from '../decode/nodeLogShapes.ts';
import { decodeStatus } from '../decode/status.ts';
import type { StreamBody } from '../request/sender.ts';
import type { Transport } from '../request/transport.ts';
import { reconnectDelay } from './backOff.ts';
import { closeable } from './closeable.ts';
import { isResumable, readEvents } from './events.ts';
import { pauseUntil, untilAllowed } from './pausing.ts';
import { poll } from './polling.ts';
import { createProgress, type Progress } from './progress.ts';
import { triage } from './triage.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { Execution } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions } from '../../domain/queries.ts';
import type { FollowItem } from './items.ts';

export interface FollowTools {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface FollowDeps extends FollowTools {
  readonly get: (executionId: string, options?: CallOptions) => Promise<Execution>;
  /** Reads what comes after a sequence, as far as it is read in one go. */
  readonly readLogs: (
    executionId: string,
    after: number | undefined,
    options: CallOptions,
  ) => Promise<LogsRead>;
  readonly transport: Transport;
  readonly logger: Logger;
}

export interface FollowContext extends FollowDeps {
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
  readonly progress: Progress;
}

type Items<T> = AsyncGenerator<FollowItem, T, void>;
/** How a stream came to its end: by a status that it told, by saying only that it is over, by dropping, or by not being one. */
type StreamEnd =
  | { readonly kind: 'ended'; readonly status: Status }
  | { readonly kind: 'finished' }
  | { readonly kind: 'noStream' }
  | { readonly kind: 'dropped'; readonly error: Error };

/** A connection that lasted this long was sound, whatever ended it. */
const soundAfterMs = 30_000;

function readRows({ progress, logger }: FollowContext, data: JsonValue): readonly NodeLog[] {
  const rows = (logRows(data) ?? []).map((row, index) => decodeNodeLog(row, progress.count + index));
  if (rows.length === 0 || rows.includes(undefined)) logger.debug('An event of a log stream held no row.');
  return progress.take(rows.filter((row) => row !== undefined));
}

function endOf(data: JsonValue | undefined): StreamEnd {
  const status = isJsonObject(data) ? decodeStatus(data, false) : null;
  return status?.isTerminal === true ? { kind: 'ended', status } : { kind: 'finished' };
}

/** Yields the rows of one connection. */
async function* readStream(context: FollowContext, body: StreamBody): Items<StreamEnd> {
  const { progress, clock, logger } = context;
  const openedAt = clock.now();
  try {
    for await (const event of readEvents(body)) {
      if (event.kind === 'end') return endOf(event.data);
      if (event.kind === 'retry') progress.retryFloorMs = event.retryMs;
      else {
        if (event.kind === 'unreadable')
          logger.warn('A row of a log stream is nested too deep to be read and was left out.');
        else for (const log of readRows(context, event.data)) yield { kind: 'log', log };
        if (event.id !== undefined && isResumable(event.id)) progress.lastEventId = event.id;
        progress.failures = 0;
      }
    }
  } finally {
    if (clock.now() - openedAt >= soundAfterMs) progress.failures = 0;
  }
  const reset = { kind: 'unreachable', cause: 'reset' } as const;
  return {
    kind: 'dropped',
    error: new ServiceError(reset, 'The stream stopped before the execution ended.'),
  };
}

/** Opens the stream where the last one stopped, and reads it. */
async function* stream(context: FollowContext): Items<StreamEnd> {
  const { transport, executionId, progress, signal } = context;
  const { after, lastEventId } = progress;
  const request = {
    operation: operations.listNodeLogs,
    values: { executionId },
    query: { after },
    headers: lastEventId ? { 'Last-Event-ID': lastEventId } : {},
  };
  const opened = await transport.open(request, { purpose: context.purpose, signal });
  if (opened.kind === 'answer') return { kind: opened.answer.status === 204 ? 'finished' : 'noStream' };
  yield { kind: 'open', by: 'stream' };
  return yield* readStream(context, opened.body);
}

/** Reads the rows that come after those that are known; isWhole: there are no more. */
export async function takeNew({
  readLogs,
  executionId,
  progress,
  purpose,
  signal,
}: FollowContext): Promise<LogsRead> {
  const { after } = progress;
  const { rows, isWhole } = await readLogs(executionId, after, { signal, purpose });
  const taken = progress.take(rows);
  // Without a position that has moved the same rows would come again.
  return { rows: taken, isWhole: isWhole || progress.after === after };
}

/** Reads the execution once; when it has ended, the rows that are missing as well, and the end. */
async function* endIfOver(context: FollowContext): Items<boolean> {
  const { get, executionId, purpose, signal } = context;
  try {
    const { status } = await get(executionId, { signal, purpose });
    if (!status.isTerminal) return false;
    for (let isMore = true; isMore;) {
      const { rows, isWhole } = await takeNew(context);
      for (const log of rows) yield { kind: 'log', log };
      isMore = !isWhole;
    }
    yield { kind: 'end', status };
    return true;
  } catch (error) {
    if (isServiceError(error, 'notOffered')) return false;
    throw error;
  }
}

/** One connection, and what is known after it: over, or to be polled, or lost. Throws a ServiceError like any call. */
async function* connect(context: FollowContext, isAgain: boolean): Items<Error | 'over' | 'poll'> {
  if (isAgain && (yield* endIfOver(context))) return 'over';
  const end = yield* stream(context);
  if (end.kind === 'dropped') return end.error;
  if (end.kind === 'noStream') return 'poll';
  if (end.kind === 'finished') return (yield* endIfOver(context)) ? 'over' : 'poll';
  yield { kind: 'end', status: end.status };
  return 'over';
}

/** The same, with failures judged: what cannot heal is thrown. */
async function* attempt(
  context: FollowContext,
  isAgain: boolean,
): Items<FollowItem | 'over' | 'poll' | 'again'> {
  const { progress, clock, random } = context;
  let error: Error;
  try {
    const end = yield* connect(context, isAgain);
    if (!(end instanceof Error)) return end;
    error = end;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const verdict = triage(thrown);
    if (verdict === 'noStream') return 'poll';
    if (verdict === 'limit') return pauseUntil(thrown, clock);
    if (verdict === 'gap' && progress.after !== undefined) {
      progress.restart();
      return 'again';
    }
    if (verdict !== 'drop') throw thrown;
    error = thrown;
  }
  const retryInMs = reconnectDelay(progress.failures, progress.retryFloorMs, random);
  progress.failures += 1;
  return { kind: 'lost', error, retryInMs };
}

async function* follow(context: FollowContext): Items<void> {
  for (let isAgain = false; ; isAgain = true) {
    yield* untilAllowed(context);
    const result = yield* attempt(context, isAgain);
    if (result === 'over') return;
    if (result === 'poll') return yield* poll(context);
    if (result === 'again') continue;
    yield result;
    const delay =
      result.kind === 'lost' ? result.retryInMs : result.kind === 'paused' ? result.resumeInMs : 0;
    await wait(context.clock, delay, context.signal);
  }
}

/** Follows from after a sequence. Rejects with the signal's reason when aborted, and with what cannot heal. */
export function followExecution(
  deps: FollowDeps,
  executionId: string,
  after: number | undefined,
  signal: AbortSignal,
): AsyncIterable<FollowItem> {
  return closeable(
    (inner) =>
      follow({
        ...deps,
        executionId,
        signal: inner,
        purpose: 'following',
        progress: createProgress(after),
      }),
    signal,
  );
}
