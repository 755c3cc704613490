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

  it('is the selected node, however often it is zoomed in', async () => {
    assert.ok(graph?.kind === 'graph' && run !== undefined);
    const page = await open();
    await page.post({ ...graph, subject: { ...subject, nodeId: 'receipt' } }, run);
    const node = page.page.locator('.node[data-id="receipt"]');
    await node.focus();
    for (let times = 0; times < 6; times += 1) {
      await page.press('+');
      const [box, pane] = [await node.boundingBox(), await page.page.locator('.graph').boundingBox()];
      assert.ok(box !== null && pane !== null && box.x >= pane.x && box.x + box.width <= pane.x + pane.width);
    }
  });

  it('is the state of each node, also where the whole of a long chain is shown', async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `n${at}`);
    const definition = {
      nodes: ids.map((id) => ({ id, type: 'log', name: `Step number ${id}` })),
      edges: ids.slice(1).map((target, at) => ({ source: `n${at}`, target })),
    };
    const page = await open();
    const rows = ids.slice(0, 40).map((id, at) => ranRow(id, at === 39 ? 'failed' : 'completed', [at, at]));
    await page.post(...messagesFor(definition, shownExecution(rows, 'failed')));
    await page.page.locator('.node[data-id="n0"]').focus();
    await page.press('0');
    const colors = await page.page
      .locator('.node')
      .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).backgroundColor));
    const [passed, failed, none] = [colors[0], colors[39], colors[59]];
    assert.deepEqual(colors, [
      ...Array.from({ length: 39 }, () => passed),
      failed,
      ...Array.from({ length: 20 }, () => none),
    ]);
    assert.equal(new Set([passed, failed, none]).size, 3);
  });
});
