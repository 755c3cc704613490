// Shares the requests of the last minute between all windows on this machine, in one file. Callers continue without it when the file can't be used.
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { messageOf } from '../../../base/reason.ts';
import type { Clock } from '../../../base/time.ts';
import { isBusy } from '../../../base/sqlite.ts';
import { LedgerFile, identify, isDamaged, removeLedgerFile } from './ledgerFile.ts';

/** busy: another window is writing, so nothing was done. lost: the file can't be used for some time. */
type Attempt<T> =
  { readonly kind: 'done'; readonly value: T } | { readonly kind: 'busy' } | { readonly kind: 'lost' };

export interface LedgerDeps {
  /** Created, with its folder, when missing. */
  readonly path: string;
  /** Monotonic milliseconds, the same in all processes on this machine. */
  readonly uptime: () => number;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** How often the path is checked, because the file may be deleted while it's in use. */
const checkEveryMs = 1000;
/** A file that's busy for longer isn't just being written by another window. */
const longestBusyMs = 2000;
/** Time until a lost file is tried again. */
const retryAfterMs = 30_000;

/** Monotonic milliseconds since the machine started, the same in all its processes. */
export const machineUptime = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Opens the file on first use. */
export class Ledger implements Disposable {
  readonly #deps: LedgerDeps;
  #file: LedgerFile | undefined;
  #generation = 0;
  #checkedAt = -Infinity;
  #busySince: number | undefined;
  #retryAt = -Infinity;
  #hasLogged = false;
  #isDisposed = false;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /** Runs the work in a transaction. generation: changes when the file is opened again, as it may be a new one without the earlier data. */
  write<T>(work: (file: LedgerFile, generation: number) => T): Attempt<T> {
    return this.#attempt((file) => file.transaction(() => work(file, this.#generation)));
  }

  read<T>(work: (file: LedgerFile) => T): Attempt<T> {
    return this.#attempt(work);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#close();
  }

  #attempt<T>(work: (file: LedgerFile) => T, isAgain = false): Attempt<T> {
    const now = this.#deps.uptime();
    if (this.#isDisposed || now < this.#retryAt) return { kind: 'lost' };
    try {
      const value = work(this.#open(now));
      this.#busySince = undefined;
      return { kind: 'done', value };
    } catch (error) {
      if (isBusy(error)) {
        this.#busySince ??= now;
        if (now - this.#busySince < longestBusyMs) return { kind: 'busy' };
      }
      if (isDamaged(error) && !isAgain && this.#remove()) return this.#attempt(work, true);
      this.#lose(error, now);
      return { kind: 'lost' };
    }
  }

  #open(now: number): LedgerFile {
    const { path } = this.#deps;
    if (this.#file !== undefined && now - this.#checkedAt >= checkEveryMs) {
      if (identify(path) !== this.#file.identity) this.#close();
      this.#checkedAt = now;
    }
    if (this.#file === undefined) {
      this.#file = new LedgerFile(path, now, this.#deps.clock.now());
      this.#checkedAt = now;
      this.#generation += 1;
    }
    return this.#file;
  }

  /** Removes the damaged file, unless another window has replaced it. Returns false when that fails. */
  #remove(): boolean {
    const damaged = this.#file?.identity;
    this.#close();
    try {
      const { path } = this.#deps;
      if (damaged === undefined || damaged === identify(path)) removeLedgerFile(path);
      return true;
    } catch {
      return false;
    }
  }

  #lose(error: unknown, now: number): void {
    this.#close();
    this.#busySince = undefined;
    this.#retryAt = now + retryAfterMs;
    if (this.#hasLogged) return;
    this.#hasLogged = true;
    this.#deps.logger.warn(
      `Windows cannot share their count of requests, so each counts for itself. ${this.#deps.path}: ${messageOf(error)}`,
    );
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    try {
      file?.close();
    } catch {
      // The file is dropped in any case.
    }
  }
}
