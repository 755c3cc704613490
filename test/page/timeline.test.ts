// The timeline in a real browser: bars are where they belong, whatever was shown before.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import { RunDifference } from '../../src/features/graph/runDifference.ts';
import { screenshots } from '../rig/paths.ts';
import { at, messagesFor, ranRow, shownExecution } from '../support/graphs.ts';
import { low, narrow, usePages } from './usePages.ts';

const day = 24 * 60 * 60 * 1000;

function executionAt(begin: number) {
  const shown = shownExecution([
    ranRow('order', 'completed', [begin, begin + 10]),
    ranRow('lines', 'completed', [begin + 10, begin + 20]),
  ]);
  return { ...shown, execution: { ...shown.execution, createdAt: at(begin), startedAt: at(begin) } };
}

describe('The timeline in the page of the graph', function () {
  this.timeout(120_000);
  const open = usePages();

  it('is as exact for an execution that ran a year after the one before', async () => {
    const page = await open();
    const difference = new RunDifference();
    const places = async () => {
      const bar = page.page.locator('.lane[data-id="lines"] .bar');
      const { x = 0, width = 0 } = (await bar.boundingBox()) ?? {};
      return [x, width] as const;
    };
    await page.post(...messagesFor(orderTotals, executionAt(0), difference));
    const before = await places();
    assert.ok(before[1] > 20);
    const [, run] = messagesFor(orderTotals, executionAt(400 * day), difference);
    assert.ok(run?.kind === 'run');
    await page.post(run);
    const after = await places();
    // Columns beside the bars are as wide as their texts.
    assert.ok(
      Math.abs(after[0] - before[0]) < 5 && Math.abs(after[1] - before[1]) < 5,
      String([before, after]),
    );
  });

  it('says above both panes how many node runs are gone, in a narrow page too', async () => {
    const said = 'Earlier node runs that are no longer kept on this machine: 1,234';
    const rows = [ranRow('order', 'completed', [0, 10])];
    for (const [name, size] of Object.entries({ low, narrow })) {
      const page = await open(size);
      const note = page.page.getByText(said);
      const difference = new RunDifference();
      await page.post(...messagesFor(orderTotals, { ...shownExecution(rows), goneRuns: 1234 }, difference));
      const { y = 0, height = 0 } = (await note.boundingBox()) ?? {};
      const panes = (await page.page.locator('.panes').boundingBox()) ?? { y: 0 };
      assert.ok(height > 0 && y + height <= panes.y, String([y, height, panes.y]));
      await page.page.screenshot({ path: join(screenshots, `graph-page-gone-runs-${name}.png`) });
      const [, run] = messagesFor(orderTotals, shownExecution(rows), difference);
      assert.ok(run?.kind === 'run');
      await page.post(run);
      assert.equal(await note.isVisible(), false);
      await page.page.close();
    }
  });

  it('shows a run of 0 ms, tells what it is, and goes to it', async () => {
    const page = await open();
    const rows = [
      ranRow('order', 'completed', [0, 0]),
      ranRow('lines', 'running', [5000]),
      ranRow('total', 'completed', [5000, 5000]),
    ];
    await page.post(...messagesFor(orderTotals, shownExecution(rows)));
    for (const id of ['order', 'lines', 'total']) {
      const bar = page.page.locator(`.lane[data-id="${id}"] .bar`);
      const { x = 0, y = 0, width = 0, height = 0 } = (await bar.boundingBox()) ?? {};
      assert.ok(width < 10 && height > 5, String([id, width, height]));
      // Half a pointer's breadth beside it, what is pointed at is still the bar.
      for (const distance of [-1.5, 0, 1.5]) {
        const state = await page.page.evaluate(
          ([left, top]) =>
            document.elementFromPoint(left, top)?.closest('.bar')?.getAttribute('data-state') ?? '',
          [x + width / 2 + distance, y + height / 2] as const,
        );
        assert.equal(state, id === 'lines' ? 'running' : 'completed', `${id} ${distance}`);
      }
    }
    const order = page.page.locator('.lane[data-id="order"]');
    await order.focus();
    await page.press('ArrowRight');
    assert.match(await page.focused(), /completed, 0 ms$/);
    assert.equal(await order.locator('title').textContent(), 'completed, 0 ms');
  });
});
