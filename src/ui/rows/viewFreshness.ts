import type * as vscode from 'vscode';
import { isAbortError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { AutoRefresh } from '../../model/autoRefresh.ts';
import { watchAttention } from '../../editor/tree/tree.ts';
import type { App } from '../app.ts';

export interface ViewFreshnessDeps extends Pick<App, 'clock' | 'logger'> {
  /** Reads again what's shown, in the background. */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds between two refreshes. Default: 30 s. */
  readonly delayMs?: () => number;
}

/** Refreshes a view automatically, but only while the user is looking at it. */
export class ViewFreshness implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #auto: AutoRefresh;

  constructor(view: vscode.TreeView<unknown>, { refresh, logger, ...deps }: ViewFreshnessDeps) {
    const refreshQuietly = async (signal: AbortSignal): Promise<void> => {
      try {
        await refresh(signal);
      } catch (error) {
        if (!isAbortError(error)) logger.error('The view could not be refreshed.', error);
      }
    };
    this.#auto = this.#owned.add(new AutoRefresh({ ...deps, refresh: refreshQuietly }));
    this.#owned.add(watchAttention(view, (attention) => this.#auto.setAttention(attention)));
  }

  /** Restarts the delay, after the user refreshed. */
  restart(): void {
    this.#auto.restart();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
