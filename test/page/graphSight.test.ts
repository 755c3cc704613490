// What the graph brings into sight in a real browser: it stays there when the room for it changes.
import assert from 'node:assert/strict';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import { messagesFor, ranRow, shownExecution, subject } from '../support/graphs.ts';
import { low, usePages } from './usePages.ts';

const [graph, run] = messagesFor(
  orderTotals,
  shownExecution([ranRow('order', 'completed', [0, 18]), ranRow('receipt', 'failed', [19, 20])], 'failed'),
);

describe('What the graph brings into sight', function () {
  this.timeout(120_000);
  const open = usePages();

  for (const [name, nodeId] of [
    ['a selected node', 'sum'],
    ['the node that failed', null],
  ] as const)
    it(`is ${name}, also in a smaller window`, async () => {
      assert.ok(graph?.kind === 'graph' && run !== undefined);
      const page = await open();
      await page.post({ ...graph, subject: { ...subject, nodeId } }, run);
      const node = page.page.locator(`.node[data-id="${nodeId ?? 'receipt'}"]`);
      const isInSight = async () => {
        const [box, pane] = [await node.boundingBox(), await page.page.locator('.graph').boundingBox()];
        return box !== null && pane !== null && box.x >= pane.x && box.x + box.width <= pane.x + pane.width;
      };
      for (const width of [low.width, low.width - 250, low.width - 100]) {
        await page.page.setViewportSize({ ...low, width });
        // What the page does on a resize is done by the second frame after it.
        await page.page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        assert.ok(await isInSight(), String(width));
      }
    });
});
