// The page of the graph in a real browser: what has the focus keeps it, whatever is drawn anew meanwhile.
import assert from 'node:assert/strict';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import type { NodeLog } from '../../src/domain/nodeLog.ts';
import { RunDifference } from '../../src/features/graph/runDifference.ts';
import { messagesFor, ranRow, shownExecution } from '../support/graphs.ts';
import { narrow, usePages } from './usePages.ts';

const running = shownExecution(
  [ranRow('order', 'completed', [0, 18]), ranRow('lines', 'running', [19])],
  'running',
);
const changed = {
  ...orderTotals,
  nodes: [...orderTotals.nodes, { id: 'more', name: 'More', type: 'log' }],
};

describe('The focus in the page of the graph', function () {
  this.timeout(120_000);
  const open = usePages();

  it('stays on a lane that changes, between lanes that come, move and go', async () => {
    const page = await open({ width: 920, height: 120 });
    const difference = new RunDifference();
    const order = ranRow('order', 'completed', [10, 18]);
    const lines = ranRow('lines', 'running', [19]);
    const show = async (...rows: readonly NodeLog[]) => {
      const [, run] = messagesFor(orderTotals, shownExecution(rows, 'running'), difference);
      assert.ok(run?.kind === 'run');
      await page.post(run);
      return run;
    };
    const [drawn, first] = messagesFor(orderTotals, shownExecution([order, lines], 'running'), difference);
    assert.ok(drawn !== undefined && first !== undefined);
    await page.post(drawn, first);
    await page.page.locator('.lane[data-id="lines"] .name').click();
    assert.equal(await page.focusedId(), 'lane lines');
    const focused = await page.page.locator('.lane[data-id="lines"]').elementHandle();
    const isKept = () => focused.evaluate((element) => document.activeElement === element);
    const changed = await show(order, lines, ranRow('pick', 'running', [30]));
    assert.deepEqual(changed.laneOrder, ['order', 'lines', 'pick']);
    assert.ok(await isKept(), 'where one comes');
    const ended = ranRow('lines', 'completed', [19, 300]);
    const next = await show(order, ended, ranRow('pick', 'running', [30]));
    assert.equal(next.lanes?.[0]?.id, 'lines');
    assert.ok(await isKept(), 'where it changes');
    const moved = await show(ranRow('lines', 'completed', [2, 300]), order, ranRow('pick', 'running', [30]));
    assert.deepEqual(moved.laneOrder, ['lines', 'order', 'pick']);
    assert.equal(await page.focusedId(), 'lane lines', 'where it moves');
    await show(ended);
    assert.ok(await isKept(), 'where others go');
    assert.equal((await page.namesIn('lanes')).length, 1);
  });

  for (const [name, option] of [
    ['nodes', 'node sum'],
    ['lanes', 'lane order'],
  ] as const)
    it(`stays in the ${name} when the graph changes`, async () => {
      const page = await open();
      await page.post(...messagesFor(orderTotals, running));
      const [kind = '', id = ''] = option.split(' ');
      await page.page.locator(`.${kind}[data-id="${id}"] .name`).click();
      const list = page.page.locator(`.${name}`);
      const scrolled = () => list.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
      const before = await scrolled();
      for (const message of messagesFor(changed, running)) await page.post(message);
      assert.equal(await page.page.locator('.node[data-id="more"]').count(), 1);
      assert.equal(await page.focusedId(), option);
      assert.deepEqual(await scrolled(), before);
    });

  it('stays on a node when the window becomes narrow', async () => {
    const page = await open();
    await page.post(...messagesFor(orderTotals, running));
    const node = page.page.locator('.node[data-id="sum"]');
    await node.click();
    const former = await node.elementHandle();
    await page.page.setViewportSize(narrow);
    await former.waitForElementState('hidden');
    assert.equal(await page.focusedId(), 'node sum');
  });

  it('stays where it is in another part of the window', async () => {
    const page = await open();
    await page.post(...messagesFor(orderTotals, running));
    await page.page.locator('.node[data-id="sum"]').click();
    await page.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await page.post(...messagesFor(changed, running));
    assert.equal(await page.focusedId(), '');
  });
});
