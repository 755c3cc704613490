// Starts what n8n responds to only after its end, as a retry, which can take longer than a response is waited for.
import { type Clock, wait } from '../../base/time.ts';
import { isServiceError, mayHaveArrived } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import { compareIds } from './decode.ts';

interface StartCalls {
  readonly clock: Clock;
  /** The newest executions of the workflow, with the running ones. */
  readonly list: (signal: AbortSignal | undefined) => Promise<readonly Execution[]>;
  /** Resolves after the end of the new execution. */
  readonly send: (signal: AbortSignal) => Promise<Execution>;
}

/** Milliseconds between two looks for it. */
const lookMs = 2000;

/** Resolves with the new execution once it has ended, or is found while it runs. */
export async function startLong(
  { clock, list, send }: StartCalls,
  isWanted: (execution: Execution) => boolean,
  signal: AbortSignal | undefined,
): Promise<Execution> {
  const newest =
    (await list(signal))
      .map(({ id }) => id)
      .sort(compareIds)
      .at(-1) ?? '0';
  /** Of several that were started meanwhile, only n8n's response says which one it is. */
  const find = async (): Promise<Execution | undefined> => {
    const found = (await list(signal)).filter((each) => isWanted(each) && compareIds(each.id, newest) > 0);
    return found.length === 1 ? found[0] : undefined;
  };
  const over = new AbortController();
  const within = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  try {
    return await Promise.race([send(within), look(clock, find, within)]);
  } catch (error) {
    // It may run although its response was lost. Sent again, it would run twice.
    const mayRun = isServiceError(error) && mayHaveArrived(error);
    const found = mayRun ? await find().catch(() => undefined) : undefined;
    if (found === undefined) throw error;
    return found;
  } finally {
    over.abort();
  }
}

async function look(
  clock: Clock,
  find: () => Promise<Execution | undefined>,
  signal: AbortSignal,
): Promise<Execution> {
  for (;;) {
    await wait(clock, lookMs, signal);
    try {
      const found = await find();
      if (found !== undefined) return found;
    } catch (error) {
      // The execution itself goes on.
      if (!isServiceError(error)) throw error;
    }
  }
}
