// A row may only be unfolded once the editor has drawn it, which it does not tell: asked too early it does nothing, without an error.
import type * as vscode from 'vscode';
import { isAbortError } from '../../base/cancellation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Clock, wait } from '../../base/time.ts';

/** What of a tree view is needed to unfold its rows. */
export type UnfoldingView<T> = Pick<
  vscode.TreeView<T>,
  'visible' | 'reveal' | 'onDidExpandElement' | 'onDidCollapseElement'
>;

export interface Unfolding<T> extends Disposable {
  /** Brings a row into sight and unfolds it, if the view is open and once it has the row. find: undefined while the row is not known. */
  unfold(find: () => T | undefined): void;
}

/** Before each attempt, in milliseconds: a row that is not there after twelve seconds is further down the list. */
const pauses: readonly number[] = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400];

export function createUnfolding<T extends { readonly key: string }>(
  view: UnfoldingView<T>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Unfolding<T> {
  const owned = new DisposableStore();
  const lifetime = new AbortController();
  const unfolded = new Set<string>();
  let latest: Promise<void> = Promise.resolve();

  const reveal = async (row: T): Promise<void> => {
    if (!view.visible) return;
    try {
      await view.reveal(row, { select: false, focus: false, expand: true });
    } catch (error) {
      logger.debug(`The row could not be revealed: ${String(error)}`);
    }
  };
  const unfold = async (find: () => T | undefined): Promise<void> => {
    for (const pause of pauses) {
      await wait(clock, pause, lifetime.signal);
      if (!view.visible) return;
      const row = find();
      if (row === undefined) continue;
      // One after the other: each has the tree ask for its rows, and would be in the way of the next.
      latest = latest.then(() => reveal(row));
      await latest;
      if (unfolded.has(row.key)) return;
    }
  };

  owned.add(
    view.onDidExpandElement(({ element }) => {
      unfolded.add(element.key);
    }),
  );
  owned.add(
    view.onDidCollapseElement(({ element }) => {
      unfolded.delete(element.key);
    }),
  );
  owned.add({
    dispose: () => lifetime.abort(),
  });
  return {
    unfold(find) {
      unfold(find).catch((error: unknown) => {
        if (!isAbortError(error)) logger.error('A row could not be unfolded.', error);
      });
    },
    dispose: () => owned.dispose(),
  };
}
