// One notification at a time: what takes longer hides its progress while the wait for the request limit is told.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../src/base/event.ts';
import { withLateProgress, withProgress } from '../../src/editor/prompts/prompts.ts';
import { reportedProgress, shownProgress } from '../support/progress.ts';

/** Resolves once exactly these are shown. */
function untilShown(...titles: readonly string[]): Promise<void> {
  const isSo = (): boolean => JSON.stringify(shownProgress.current) === JSON.stringify(titles);
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const watching = shownProgress.onDidChange(() => {
      if (!isSo()) return;
      watching.dispose();
      resolve();
    });
  });
}

describe('the progress of what takes longer', () => {
  it('is hidden while the wait for the request limit is told, and ends with the work', async () => {
    const until = new ObservableValue<number | null>(null);
    const { promise, resolve } = Promise.withResolvers<string>();
    const working = withLateProgress({ requestWaits: { until } }, 'Executing…', () => promise);
    await untilShown('Executing…');
    until.set(1000);
    await untilShown();
    until.set(2000);
    until.set(null);
    await untilShown('Executing…');
    resolve('done');
    assert.equal(await working, 'done');
    await untilShown();
  });
});

describe('the progress of what has a name from outside', () => {
  it('shows no link, which would run a command', async () => {
    const [name, shown] = ['[x](command:workbench.action.quit)', '[x] (command:workbench.action.quit)'];
    await withProgress(name, async (_signal, report) => {
      await untilShown(shown);
      report(`1 of 2: ${name}`, 50);
    });
    assert.equal(reportedProgress.at(-1), `1 of 2: ${shown}`);
  });
});
