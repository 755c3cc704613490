import type * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { wait } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';

export interface UnfoldingDeps<T> extends Pick<App, 'clock' | 'logger'> {
  readonly view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>;
  readonly isUnfolded: (row: T) => boolean;
}

/** Milliseconds before each attempt. A row that isn't found after about twelve seconds is further down the list. */
const pauses: readonly number[] = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/** Expands rows. The editor ignores a request for a row that isn't drawn yet, without an error, so it's repeated. */
export class Unfolding<T> implements Disposable {
  readonly #deps: UnfoldingDeps<T>;
  readonly #lifetime = new AbortController();
  #latest: Promise<void> = Promise.resolve();

  constructor(deps: UnfoldingDeps<T>) {
    this.#deps = deps;
  }

  /**
   * Reveals and expands a row once the tree has it, if the view is visible. find: returns undefined while the row isn't known.
   * Resolves with the row if it was folded before.
   */
  async unfold(find: () => T | undefined): Promise<T | undefined> {
    try {
      return await this.#unfold(find);
    } catch (error) {
      if (!isAbortError(error)) this.#deps.logger.error('A row could not be unfolded.', error);
      return undefined;
    }
  }

  dispose(): void {
    this.#lifetime.abort();
  }

  async #unfold(find: () => T | undefined): Promise<T | undefined> {
    const { view, isUnfolded, clock } = this.#deps;
    let wasFolded = false;
    for (const pause of pauses) {
      await wait(clock, pause, this.#lifetime.signal);
      if (!view.visible) return undefined;
      const row = find();
      if (row === undefined) continue;
      wasFolded ||= !isUnfolded(row);
      // One after the other, because each makes the tree load its rows and would disturb the next.
      this.#latest = this.#latest.then(() => this.#reveal(row));
      await this.#latest;
      if (isUnfolded(row)) return wasFolded ? row : undefined;
    }
    return undefined;
  }

  async #reveal(row: T): Promise<void> {
    const { view, logger } = this.#deps;
    if (!view.visible) return;
    try {
      await view.reveal(row, { select: false, focus: false, expand: true });
    } catch (error) {
      logger.debug(`The row could not be revealed: ${String(error)}`);
    }
  }
}
