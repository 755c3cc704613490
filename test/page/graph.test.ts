// The page of the graph in a real browser, with the messages that the extension sends: keys, what is read out, what is kept.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import * as v from 'valibot';
import orderTotals from '../../media/samples/order-totals.json' with { type: 'json' };
import supportTriage from '../../media/samples/support-triage.json' with { type: 'json' };
import { RunDifference } from '../../src/features/graph/runDifference.ts';
import { screenshots } from '../rig/paths.ts';
import { messagesFor, ranRow, shownExecution, subject } from '../support/graphs.ts';
import { themes } from './themes.ts';
import { low, narrow, tall, usePages } from './usePages.ts';

/** Three turns of the loop, in the third of which a node waits. */
const turns = [0, 1, 2].flatMap((index) => {
  const begin = 20 + index * 1800;
  const inTurn = { iteration: [index] };
  if (index === 2) return [ranRow('pick', 'waiting', [begin], inTurn)];
  return [
    ranRow('pick', 'completed', [begin, begin + 1700], inTurn),
    ranRow('price', 'completed', [begin + 1700, begin + 1710], inTurn),
    ranRow('say', 'completed', [begin + 1710, begin + 1790], inTurn),
  ];
});
const running = shownExecution(
  [ranRow('order', 'completed', [0, 18]), ranRow('lines', 'running', [19]), ...turns],
  'running',
);
const branched = shownExecution([
  ranRow('received', 'completed', [0, 9]),
  ranRow('classify', 'failed', [10, 30]),
  ranRow('classify', 'completed', [400, 420], { attempt: 2 }),
  ranRow('think', 'completed', [420, 3420]),
  ranRow('urgent', 'completed', [3420, 3430], { output: true }),
  ranRow('page', 'completed', [3430, 3460]),
  ranRow('queue', 'skipped', [3460, 3460]),
  ranRow('escalate', 'completed', [3460, 3480]),
  ranRow('settle', 'failed', [3480, 5980], {
    error: { code: null, message: 'The desk answered 503', nodeId: 'settle' },
  }),
]);

const Violations = v.object({
  violations: v.array(v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string() })) })),
});

describe('The page of the graph', function () {
  this.timeout(120_000);
  const open = usePages();

  it('says that it is loaded, and why there is nothing to see', async () => {
    const graph = await open();
    const { page, complaints } = graph;
    assert.deepEqual(complaints, []);
    assert.deepEqual(await graph.sent(), [{ kind: 'ready', subject: null }]);
    await graph.post({ kind: 'nothing', text: 'Select <b>a workflow</b>.' });
    assert.equal(await page.locator('.nothing').innerText(), 'Select <b>a workflow</b>.');
  });

  it('reads each node out with its state, its turns, its duration and what it leads to', async () => {
    const page = await open();
    await page.post(...messagesFor(orderTotals, running));
    assert.deepEqual(await page.namesIn('nodes'), [
      'Order placed, completed · 18 ms, trigger. Leads to For each line',
      'For each line, running, forEach. Leads to Pick from the shelf, Add up',
      'Pick from the shelf, waiting · ×3 · 3.4 s, delay, 3 iterations. Leads to Price the line',
      'Price the line, completed · ×2 · 20 ms, transform, 2 iterations. Leads to Log the line',
      'Add up, not run, transform. Leads to Receipt',
      'Log the line, completed · ×2 · 160 ms, log, 2 iterations',
      'Receipt, not run, output',
    ]);
    assert.equal(await page.page.locator('.headText').innerText(), 'Latest execution e1 · running');
  });

  it('is walked with the arrow keys along the edges, with Home and End, and tells of it', async () => {
    const page = await open();
    await page.post(...messagesFor(orderTotals, running));
    await page.press('Tab');
    for (let tabs = 0; tabs < 8 && !(await page.focused()).startsWith('Order placed'); tabs += 1)
      await page.press('Tab');
    const steps = [
      ['ArrowRight', 'lines', 'For each line'],
      ['ArrowRight', 'pick', 'Pick from the shelf'],
      ['ArrowRight', 'price', 'Price the line'],
      ['ArrowLeft', 'pick', 'Pick from the shelf'],
      ['ArrowDown', 'sum', 'Add up'],
      ['ArrowUp', 'price', 'Price the line'],
      ['End', 'receipt', 'Receipt'],
      ['Home', 'order', 'Order placed'],
    ] as const;
    for (const [key, nodeId, name] of steps) {
      await page.press(key);
      assert.ok((await page.focused()).startsWith(name), `${key}: ${await page.focused()}`);
      assert.deepEqual(await page.lastSent(), { kind: 'select', nodeId, nodeRunKey: null });
    }
    await page.press('Enter');
    assert.deepEqual(await page.lastSent(), { kind: 'open', nodeId: 'order', nodeRunKey: null });
    await page.press('End', 'Enter');
    assert.deepEqual(await page.lastSent(), { kind: 'reveal', nodeId: 'receipt' });
    await page.press('Escape');
    assert.deepEqual(await page.lastSent(), { kind: 'select', nodeId: null, nodeRunKey: null });
    assert.deepEqual(await page.selectedIn('nodes'), []);
  });

  it('goes from run to run in the timeline, and opens one', async () => {
    const page = await open();
    await page.post(...messagesFor(orderTotals, running));
    await page.page.locator('.lane .name', { hasText: 'pick' }).click();
    await page.press('ArrowRight', 'ArrowRight');
    assert.match(
      await page.focused(),
      /^pick, 3\.4 s, waiting, 3 runs, \+20 ms\. iteration 2: completed, 1\.7 s$/,
    );
    await page.press('Enter');
    const opened = await page.lastSent();
    assert.ok(opened?.kind === 'open' && opened.nodeId === 'pick' && opened.nodeRunKey !== null);
    assert.equal(running.nodeRuns.find(({ key }) => key === opened.nodeRunKey)?.iteration[0], 1);
    assert.equal((await page.selectedIn('nodes'))[0]?.startsWith('Pick from the shelf'), true);
  });

  it('shows a selection that was made elsewhere, and sends none back', async () => {
    const page = await open();
    await page.post(...messagesFor(orderTotals, running));
    const before = await page.sent();
    await page.post({ kind: 'select', subject: { ...subject, nodeId: 'sum' } });
    assert.equal((await page.selectedIn('nodes'))[0]?.startsWith('Add up'), true);
    assert.deepEqual(await page.sent(), before);
  });

  it('changes only the nodes that a message names', async () => {
    const page = await open();
    const difference = new RunDifference();
    const [drawn, run] = messagesFor(orderTotals, shownExecution([], 'queued'), difference);
    assert.ok(drawn !== undefined && run !== undefined);
    await page.post(drawn, run);
    const first = await page.page.locator('.node[data-id="receipt"] svg').elementHandle();
    const [, next] = messagesFor(
      orderTotals,
      shownExecution([ranRow('order', 'running', [0])], 'running'),
      difference,
    );
    assert.ok(next?.kind === 'run');
    assert.deepEqual(
      next.nodes?.map(({ id }) => id),
      ['order'],
    );
    await page.post(next);
    assert.equal(await page.page.locator('.node[data-id="order"]').getAttribute('data-state'), 'running');
    assert.equal(await first.evaluate((element) => element.isConnected), true);
  });

  it('keeps what was selected, scaled and moved when it is loaded again', async () => {
    const page = await open();
    await page.post(...messagesFor(supportTriage, branched));
    await page.page.locator('.lane[data-id="classify"] .name').click();
    await page.page.getByRole('button', { name: 'Zoom Out' }).click();
    const placed = () => page.page.locator('.stage').evaluate((element) => element.style.transform);
    const before = await placed();
    await page.page.reload();
    const kept = { ...subject, nodeId: 'classify' };
    assert.deepEqual(await page.lastSent(), { kind: 'ready', subject: kept });
    const [first, ...others] = messagesFor(supportTriage, branched);
    assert.ok(first?.kind === 'graph');
    await page.post({ ...first, subject: kept }, ...others);
    assert.equal(await placed(), before);
    assert.equal((await page.selectedIn('nodes'))[0]?.startsWith('Classify'), true);
  });

  it('says by a line whether a branch was taken', async () => {
    const graph = await open(tall);
    const { page } = graph;
    await graph.post(...messagesFor(supportTriage, branched));
    const looks = await page
      .locator('.line')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-look')));
    const ends = supportTriage.edges.map(({ source, target }) => `${source} ${target}`);
    const notTaken = ends.filter((_, index) => looks[index] === 'notTaken');
    assert.deepEqual(notTaken, ['urgent queue', 'queue settle']);
  });

  for (const [name, theme] of Object.entries(themes))
    for (const [shape, size] of Object.entries({ low, tall, narrow }))
      it(`has nothing that axe finds wrong in the theme ${name}, ${shape}`, async () => {
        const graph = await open(size);
        const { page } = graph;
        await graph.setTheme(theme);
        await graph.post(...messagesFor(supportTriage, branched));
        await graph.post({ kind: 'select', subject: { ...subject, nodeId: 'settle' } });
        await page.evaluate(axe.source);
        const found = v.parse(Violations, await page.evaluate('axe.run()'));
        mkdirSync(screenshots, { recursive: true });
        await page.screenshot({
          path: join(screenshots, `graph-${name}-${shape}.png`),
          animations: 'disabled',
        });
        assert.deepEqual(found.violations, []);
      });

  it('stands still where less motion is wanted', async () => {
    const graph = await open();
    const { page } = graph;
    await graph.post(...messagesFor(orderTotals, running));
    const icon = page.locator('.node[data-state="running"] .icon').first();
    const animation = () => icon.evaluate((element) => getComputedStyle(element).animationName);
    assert.equal(await animation(), 'turn');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.equal(await animation(), 'none');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.equal(await animation(), 'none');
  });

  it('loads nothing from outside, runs no other script, and takes no text for HTML', async () => {
    const graph = await open();
    const { page } = graph;
    const hostile = '<img src=x onerror="document.title=1"><b>x</b>';
    await graph.post(
      ...messagesFor({ nodes: [{ id: 'a', name: hostile, type: hostile }], edges: [] }, { kind: 'none' }),
    );
    assert.equal(await page.locator('.node .name').innerText(), hostile);
    assert.equal(await page.locator('.node img, .node b').count(), 0);
    const styles = readFileSync(join(import.meta.dirname, '..', '..', 'media', 'graph.css'), 'utf8');
    assert.doesNotMatch(styles, /url\(|@import/);
    const isRefused = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "ran"';
      document.body.append(script);
      const fetched = await fetch('http://graph.test/other').then(
        () => true,
        () => false,
      );
      return document.title !== 'ran' && !fetched;
    });
    assert.ok(isRefused);
    graph.complaints.splice(0);
  });
});
