// Keeps a view fresh while somebody looks at it, and quiet when nobody does.
import * as vscode from 'vscode';
import { isAbortError } from '../../base/cancellation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import { AutoRefresh } from '../../model/autoRefresh.ts';
import type { Purpose } from '../../domain/budget.ts';
import type { App } from '../app.ts';

export interface FreshnessDeps extends Pick<App, 'clock' | 'logger'> {
  /** What the view's own refreshing is for. */
  readonly purpose: Purpose;
  /** Reads again what is shown. */
  readonly refresh: (signal: AbortSignal | undefined, purpose: Purpose) => Promise<void>;
  /** Whatever is announced while refreshing counts as a change; without one the pace slows down. */
  readonly changes: readonly Event<unknown>[];
}

export interface ViewFreshness extends Disposable {
  /** Reads again now, because the person wants it. */
  refresh(): Promise<void>;
}

export function createViewFreshness(
  view: vscode.TreeView<unknown>,
  { clock, logger, purpose, refresh, changes }: FreshnessDeps,
): ViewFreshness {
  const owned = new DisposableStore();
  const auto = owned.add(
    new AutoRefresh(clock, async (signal) => {
      let hasChanged = false;
      const subscriptions = changes.map((onDidChange) =>
        onDidChange(() => {
          hasChanged = true;
        }),
      );
      try {
        await refresh(signal, purpose);
      } catch (error) {
        if (!isAbortError(error)) logger.error('The view could not be refreshed.', error);
      } finally {
        for (const subscription of subscriptions) subscription.dispose();
      }
      return hasChanged;
    }),
  );
  const attend = (): void =>
    auto.setAttention({ isVisible: view.visible, isFocused: vscode.window.state.focused });
  owned.add(view.onDidChangeVisibility(attend));
  owned.add(vscode.window.onDidChangeWindowState(attend));
  attend();
  return {
    refresh: async () => {
      auto.restart();
      await refresh(undefined, 'asked');
    },
    dispose: () => owned.dispose(),
  };
}
