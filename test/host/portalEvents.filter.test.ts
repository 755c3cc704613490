// The filter of the Portal Events view reaches events that were not loaded, page by page, and takes none away.
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect } from './commands.ts';
import { check, scrollToTop, write } from './keyboard.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { actUntil, until } from './until.ts';

const view = 'workflowAutomation.portalEvents';
const Created = v.object({ id: v.string() });
const input = '.quick-input-widget input:focus';
const call = (name: string, ...values: readonly unknown[]) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, ...values);
const rows = () => page.rows(view);
const row = (text: string) => `${viewSelector(view)} .monaco-list-row:has-text("${text}")`;
const message = async () => (await page.texts(`${viewSelector(view)} .message`)).join('\n');

describe('the filter of the Portal Events view', () => {
  let service: OwnService;
  let connectionId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '100000');
    const send = (type: string, workflowId: string) =>
      postTo(service, v.unknown(), '/portal/events', { type, data: {}, workflowId });
    const { id: workflowId } = await postTo(service, Created, '/workflows', {
      name: 'Orders',
      nodes: [{ id: 'start', name: 'Start', type: 'trigger', config: {} }],
      edges: [],
    });
    for (let number = 0; number < 120; number += 1) await send('early', workflowId);
    for (let number = 0; number < 110; number += 1) await send('late', 'gone-123456');
    connectionId = await connect('Filter', service);
    await call('connection.switch', { connectionId });
    await vscode.commands.executeCommand(`${view}.focus`);
    await page.waitFor(row('portal.late'));
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('is asked for with the keyboard, also for a type of which nothing was loaded', async () => {
    const filtered = call('portalEvents.filter');
    await page.waitFor(input);
    await page.screenshot('portal-events-filter-choices');
    await page.enter('another type');
    await check('Another Type…');
    await page.press('Enter');
    await write('Type of the portal events', 'portal.early');
    await filtered;
    await until(
      rows,
      ([first, ...others]) =>
        first?.label === 'Clear Filter' &&
        others.length > 0 &&
        others.every(({ label, description }) => label === 'portal.early' && description.includes('Orders')),
    );
    await until(message, (text) => text === 'Showing portal.early only');
    await page.screenshot('portal-events-filtered-by-service');
  });

  /** Presses End until a row like this is in sight: rows that come later have another end. */
  const goToEnd = (like: string): Promise<void> =>
    actUntil(
      () => page.press('End'),
      () => page.isThere(`${viewSelector(view)} .monaco-list-row${like}`),
    );

  it('pages under the filter to the first event', async () => {
    await scrollToTop(view);
    await goToEnd('.focused:has-text("Load More…")');
    await page.press('Enter');
    await page.waitUntilGone(row('Load More…'));
    await goToEnd('[aria-posinset="121"]');
    await page.screenshot('portal-events-filtered-to-the-end');
  });

  it('narrows to a workflow that is gone, which its rows say', async () => {
    await call('portalEvents.filter', { workflowId: 'gone-123456' });
    await until(
      rows,
      ([, first]) => first?.label === 'portal.late' && first.description.includes('Deleted workflow 123456'),
    );
    await until(message, (text) => text === 'Showing Deleted workflow 123456 only');
    await page.screenshot('portal-events-of-a-deleted-workflow');
  });

  it('says that nothing passes, and gives everything back', async () => {
    await call('portalEvents.filter', { type: 'no.such.type' });
    await page.waitFor(
      `${viewSelector(view)} .welcome-view-content:has-text("No portal events match the filter")`,
    );
    await call('portalEvents.clearFilter');
    await page.waitFor(row('portal.late'));
    await until(message, (text) => text === '');
  });
});
