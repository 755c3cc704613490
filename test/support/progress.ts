// The editor's notifications of progress, as titles.
import { toDisposable } from '../../src/base/disposable.ts';
import { ObservableValue } from '../../src/base/event.ts';

/** The titles that are shown. */
export const shownProgress = new ObservableValue<readonly string[]>([]);

/** What was reported of all that was under way. */
export const reportedProgress: string[] = [];

/** As the editor's own; nobody cancels. */
export async function withProgress<T>(
  { title }: { readonly title: string },
  task: (
    progress: { readonly report: (step: { readonly message: string }) => void },
    token: { readonly onCancellationRequested: () => unknown },
  ) => Promise<T>,
): Promise<T> {
  shownProgress.set([...shownProgress.current, title]);
  try {
    const never = () => toDisposable(() => undefined);
    return await task(
      { report: ({ message }) => void reportedProgress.push(message) },
      { onCancellationRequested: never },
    );
  } finally {
    shownProgress.set(shownProgress.current.filter((shown) => shown !== title));
  }
}
