// What the graph brings into sight in a real browser: it stays there when the room for it changes.
import assert from 'node:assert/strict';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import { messagesFor, ranRow, shownExecution, subject } from '../support/graphs.ts';
import { low, usePages } from './usePages.ts';

const [graph, run] = messagesFor(
  orderTotals,
  shownExecution([ranRow('order', 'completed', [0, 18]), ranRow('receipt', 'failed', [19, 20])], 'failed'),
);

function chainOf(count: number) {
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  return {
    nodes: ids.map((id) => ({ id, type: 'log', name: `Step number ${id}` })),
    edges: ids.slice(1).map((target, at) => ({ source: `n${at}`, target })),
  };
}

const failedAt39 = shownExecution(
  Array.from({ length: 40 }, (_, at) => ranRow(`n${at}`, at === 39 ? 'failed' : 'completed', [at, at])),
  'failed',
);
/** Of the first 60 nodes of a chain. */
const chainStates = (passed: string, failed: string, none: string): readonly string[] => [
  ...Array.from({ length: 39 }, () => passed),
  failed,
  ...Array.from({ length: 20 }, () => none),
];

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

  it('is the state of each node, also where the whole of a chain of 60 is shown', async () => {
    const page = await open();
    await page.post(...messagesFor(chainOf(60), failedAt39));
    await page.page.locator('.node[data-id="n0"]').focus();
    await page.press('0');
    const pane = await page.page.locator('.graph').boundingBox();
    const boxesOf = (selector: string) =>
      page.page.locator(selector).evaluateAll((all) =>
        all.map((each) => {
          const { left, top, right, bottom } = each.getBoundingClientRect();
          return { left, top, right, bottom };
        }),
      );
    const boxes = await boxesOf('.node');
    assert.equal(boxes.length, 60);
    assert.ok(pane !== null);
    for (const { left, top, right, bottom } of boxes) {
      assert.ok(left >= pane.x && top >= pane.y);
      assert.ok(right <= pane.x + pane.width && bottom <= pane.y + pane.height);
    }
    const icons = page.page.locator('.node .icon');
    assert.deepEqual(
      await icons.evaluateAll((all) => all.map((each) => each.getAttribute('data-state'))),
      chainStates('completed', 'failed', 'none'),
    );
    for (const { top, bottom } of await boxesOf('.node .icon')) assert.ok(bottom - top >= 8);
    assert.ok(await icons.first().isVisible());
  });

  it('is the state of each node by its color, where no icon can be seen', async () => {
    const page = await open();
    await page.post(...messagesFor(chainOf(200), failedAt39));
    await page.page.locator('.node[data-id="n0"]').focus();
    await page.press('0');
    const colors = await page.page
      .locator('.node')
      .evaluateAll((nodes) => nodes.slice(0, 60).map((node) => getComputedStyle(node).backgroundColor));
    const [passed = '', failed = '', none = ''] = [colors[0], colors[39], colors[59]];
    assert.deepEqual(colors, chainStates(passed, failed, none));
    assert.equal(new Set([passed, failed, none]).size, 3);
  });
});
