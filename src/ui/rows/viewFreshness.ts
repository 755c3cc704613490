import type * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { AutoRefresh } from '../../model/autoRefresh.ts';
import type { Purpose } from '../../domain/budget.ts';
import { watchAttention } from '../../editor/tree.ts';
import type { App } from '../app.ts';

export interface ViewFreshnessDeps extends Pick<App, 'clock' | 'logger'> {
  /** The purpose of automatic refreshing. */
  readonly purpose: Purpose;
  /** Reads again what's shown. */
  readonly refresh: (signal: AbortSignal | undefined, purpose: Purpose) => Promise<void>;
  /** An event that fires while refreshing counts as a change. Without changes, automatic refreshing slows down. */
  readonly changes: readonly Event<unknown>[];
}

/** Refreshes a view automatically, but only while the user is looking at it. */
export class ViewFreshness implements Disposable {
  readonly #deps: ViewFreshnessDeps;
  readonly #owned = new DisposableStore();
  readonly #auto: AutoRefresh;

  constructor(view: vscode.TreeView<unknown>, deps: ViewFreshnessDeps) {
    this.#deps = deps;
    this.#auto = this.#owned.add(new AutoRefresh(deps.clock, (signal) => this.#refreshQuietly(signal)));
    this.#owned.add(watchAttention(view, (attention) => this.#auto.setAttention(attention)));
  }

  /** Refreshes because the user requested it. */
  async refresh(): Promise<void> {
    this.#auto.restart();
    await this.#deps.refresh(undefined, 'asked');
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Returns whether anything changed. */
  async #refreshQuietly(signal: AbortSignal): Promise<boolean> {
    const { changes, refresh, purpose, logger } = this.#deps;
    const listening = new DisposableStore();
    let hasChanged = false;
    for (const onDidChange of changes)
      listening.add(
        onDidChange(() => {
          hasChanged = true;
        }),
      );
    try {
      await refresh(signal, purpose);
    } catch (error) {
      if (!isAbortError(error)) logger.error('The view could not be refreshed.', error);
    } finally {
      listening.dispose();
    }
    return hasChanged;
  }
}
