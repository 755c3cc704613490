// What a retry took over in the page of the graph, and the buttons that retry.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import { screenshots } from '../rig/paths.ts';
import { messagesFor, ranRow, shownExecution } from '../support/graphs.ts';
import { statusOf } from '../support/memory/records.ts';
import { usePages } from './usePages.ts';

const rows = [
  ranRow('order', 'completed', [0, 18], { reusedFrom: 'e0' }),
  ranRow('lines', 'completed', [19, 40]),
  ranRow('sum', 'failed', [40, 60]),
  ranRow('receipt', 'skipped', [60, 60]),
];
const shown = (state: 'running' | 'completed' | 'failed') => {
  const { execution, ...rest } = shownExecution(rows, state);
  const status = { ...statusOf(state), isTerminal: state !== 'running' };
  return { ...rest, execution: { ...execution, status } };
};

describe('Retrying in the page of the graph', function () {
  this.timeout(120_000);
  const open = usePages();

  it('offers to debug the execution, and to retry from the failure and from a selected node that ran, with keys', async () => {
    const page = await open();
    const tool = (name: string) => page.page.getByRole('button', { name, exact: true });
    await page.post(...messagesFor(orderTotals, shown('running')));
    await tool('Debug Execution').click();
    assert.deepEqual(await page.lastSent(), { kind: 'debug' });
    assert.equal(await tool('Retry from Failed Node').isVisible(), false);
    assert.equal(await tool('Retry from Here').isVisible(), false);
    await page.post(...messagesFor(orderTotals, shown('completed')));
    assert.equal(await tool('Retry from Failed Node').isVisible(), false);
    assert.equal(await tool('Retry from Here').isDisabled(), true);
    await page.post(...messagesFor(orderTotals, shown('failed')));
    await tool('Retry from Failed Node').focus();
    await page.press('Enter');
    assert.deepEqual(await page.lastSent(), { kind: 'retry', nodeId: null });
    for (const [nodeId, isDisabled] of [
      ['receipt', true],
      ['sum', false],
    ] as const) {
      await page.page.locator(`.node[data-id="${nodeId}"]`).click();
      assert.equal(await tool('Retry from Here').isDisabled(), isDisabled);
    }
    await tool('Retry from Here').focus();
    await page.press('Enter');
    assert.deepEqual(await page.lastSent(), { kind: 'retry', nodeId: 'sum' });
  });

  it('dims what a retry took over, and says it', async () => {
    const page = await open();
    const colorOf = (id: string) =>
      page.page.locator(`.node[data-id="${id}"] .icon`).evaluate((icon) => getComputedStyle(icon).color);
    await page.post(...messagesFor(orderTotals, shown('completed')));
    assert.match((await page.namesIn('nodes'))[0] ?? '', /^Order placed, completed · reused,/);
    assert.notEqual(await colorOf('order'), await colorOf('lines'));
    await page.page.screenshot({ path: join(screenshots, 'graph-page-reused.png') });
  });
});
