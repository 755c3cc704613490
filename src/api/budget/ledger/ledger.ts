// The requests of the last minute of all windows of this machine, in one file; where there can be none, the caller is told and goes on without.
import type { Disposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Clock } from '../../../base/time.ts';
import { LedgerFile, identify, isBusy, isDamaged, removeLedgerFile } from './ledgerFile.ts';

/** busy: another window writes just now, so nothing was done. lost: the file cannot be used for some time. */
type Attempt<T> =
  { readonly kind: 'done'; readonly value: T } | { readonly kind: 'busy' } | { readonly kind: 'lost' };

export interface Ledger extends Disposable {
  /** All or nothing. generation: another one when the file is another one, which knows nothing of what was written before. */
  write<T>(work: (file: LedgerFile, generation: number) => T): Attempt<T>;
  read<T>(work: (file: LedgerFile) => T): Attempt<T>;
}

export interface LedgerDeps {
  /** Made with its folder where there is none. */
  readonly path: string;
  /** Milliseconds that no setting of the clock moves, the same in all processes of this machine. */
  readonly uptime: () => number;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** How often the path is looked at, since somebody may delete the file while it is in use. */
const checkEveryMs = 1000;
/** What is busy for longer is not another window's writing. */
const longestBusyMs = 2000;
/** The pause before a lost file is tried again. */
const retryAfterMs = 30_000;

/** What the machine's processes agree on: it counts from its start, and no setting of the clock moves it. */
export const machineUptime = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Opens the file with the first use. */
export function createLedger(deps: LedgerDeps): Ledger {
  return new FileLedger(deps);
}

class FileLedger implements Ledger {
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

  /** Makes room for a new file, unless another window has done so; false where that cannot be. */
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
      `Windows cannot share their count of requests, so each counts for itself. ${this.#deps.path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    try {
      file?.close();
    } catch {
      // It is let go of in any case.
    }
  }
}
