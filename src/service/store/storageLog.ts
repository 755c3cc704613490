// A full disk fails everything at once, and its log lies on the same disk: one line a minute has to do.
import type { Logger } from '../../base/logger.ts';
import { describeStorageProblem, type StorageProblem, storageProblemOf } from './storageError.ts';

const quietMs = 60_000;

/**
 * The same log, in which each problem of the storage at `path` takes one line a minute at most, with how many more there
 * were. `now`: milliseconds of a clock that cannot be set back.
 */
export function createStorageLog(
  logger: Logger,
  path: string,
  now: () => number = () => performance.now(),
): Logger {
  const told = new Map<StorageProblem, { readonly at: number; more: number }>();
  return {
    ...logger,
    error(message, cause) {
      const problem = storageProblemOf(cause);
      if (problem === undefined) {
        logger.error(message, cause);
        return;
      }
      const last = told.get(problem);
      if (last && now() - last.at < quietMs) {
        last.more += 1;
        return;
      }
      told.set(problem, { at: now(), more: 0 });
      const more = last && last.more > 0 ? ` ${last.more} more since the last line like this.` : '';
      logger.error(`${message} ${describeStorageProblem(problem, path)}${more}`);
    },
  };
}
