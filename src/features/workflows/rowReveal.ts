import type * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { wait, within } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { RowElement } from '../../editor/tree/treeElements.ts';
import type { App } from '../../ui/app.ts';

interface Holdable {
  /** Redraws nothing until it's disposed of. */
  hold(): Disposable;
}

export interface RowRevealDeps<T> extends Pick<App, 'clock' | 'logger'> {
  readonly view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>;
  readonly tree: Holdable;
  readonly options: Parameters<vscode.TreeView<T>['reveal']>[1];
  /** True when the row is unfolded or selected, whichever the options ask for. */
  readonly isRevealed: (row: T) => boolean;
  /** Called if the editor was asked several times for a row that it has drawn, and didn't say that it's revealed. */
  readonly trust?: (row: T) => void;
  readonly isDrawn?: (row: T) => boolean;
}

/** Milliseconds before each attempt. A row that isn't found after about twelve seconds is further down the list. */
const pauses: readonly number[] = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/** In milliseconds. The editor sometimes waits for a drawing that doesn't come. */
const longestRequest = 2_000;

/** After so many requests for a drawn row without a response, the response was lost. */
const trustedRequests = 3;

/** Unfolds or selects rows. The editor ignores a request for a row that isn't drawn yet, without an error, so it's repeated. */
export class RowReveal<T extends Pick<RowElement, 'key'>> implements Disposable {
  readonly #deps: RowRevealDeps<T>;
  #attempts = new AbortController();
  #latest: Promise<void> = Promise.resolve();
  /** What the editor was asked for and hasn't responded to, also after a call was given up. */
  readonly #requests = new Map<Promise<void>, T>();
  /** How often the editor was asked for the row with this key since it was drawn. */
  #asked = { key: '', times: 0 };

  constructor(deps: RowRevealDeps<T>) {
    this.#deps = deps;
  }

  /**
   * Reveals a row once the tree has it, if the view is visible, instead of the row before. find: returns undefined while the row isn't
   * known. Resolves with the row if it wasn't unfolded or selected before.
   */
  async reveal(find: () => T | undefined): Promise<T | undefined> {
    this.cancel();
    this.#attempts = new AbortController();
    try {
      return await this.#repeat(find, this.#attempts.signal);
    } catch (error) {
      if (!isAbortError(error)) this.#deps.logger.error('A row could not be revealed.', error);
      return undefined;
    }
  }

  /** Asks the editor no more for the row of the latest call. */
  cancel(): void {
    this.#attempts.abort();
  }

  /** Resolves once the editor has responded to the requests so far for these rows: it may unfold one long after the call was given up. */
  async settled(isAsked: (row: T) => boolean): Promise<void> {
    await Promise.all([...this.#requests].filter(([, row]) => isAsked(row)).map(([request]) => request));
  }

  dispose(): void {
    this.cancel();
  }

  async #repeat(find: () => T | undefined, signal: AbortSignal): Promise<T | undefined> {
    const { view, isRevealed, clock } = this.#deps;
    let isAsked = false;
    for (const pause of pauses) {
      await wait(clock, pause, signal);
      if (!view.visible) return undefined;
      const row = find();
      if (row === undefined) continue;
      const wasRevealed = isRevealed(row);
      if (wasRevealed && isAsked) return row;
      isAsked = true;
      // One after the other, because each makes the tree load its rows and would disturb the next.
      this.#latest = this.#latest.then(() => (signal.aborted ? undefined : this.#ask(row)));
      await this.#latest;
      if (isRevealed(row)) return wasRevealed ? undefined : row;
    }
    return undefined;
  }

  async #ask(row: T): Promise<void> {
    const { view, tree, clock } = this.#deps;
    if (!view.visible) return;
    const isDrawn = this.#deps.isDrawn?.(row) === true;
    const held = tree.hold();
    const request = this.#request(row);
    this.#requests.set(request, row);
    void request.then(() => this.#requests.delete(request));
    await within(clock, longestRequest, request);
    held.dispose();
    if (isDrawn) this.#count(row);
  }

  /** Resolves when the editor has responded, whatever it did. */
  async #request(row: T): Promise<void> {
    const { view, options, logger } = this.#deps;
    try {
      await view.reveal(row, options);
    } catch (error) {
      // The tree doesn't list it yet, or a filter hides it.
      logger.debug(`The row could not be revealed: ${String(error)}`);
    }
  }

  /** Goes on counting where a later call asks for the same row: news may come faster than the editor responds. */
  #count(row: T): void {
    if (row.key !== this.#asked.key) this.#asked = { key: row.key, times: 0 };
    this.#asked.times += 1;
    if (this.#asked.times < trustedRequests) return;
    this.#asked.times = 0;
    this.#deps.trust?.(row);
  }
}
