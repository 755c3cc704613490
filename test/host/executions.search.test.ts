// A person finds executions by what stands in them, opens the place, acts on all that were found, and sees how a workflow usually goes.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect } from './commands.ts';
import {
  choose,
  escape,
  focusRow,
  giveRoom,
  readChoices,
  runInPalette,
  runOnRow,
  typeOver,
  untilAsked,
  untilRow,
  write,
} from './keyboard.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { type SearchedService, startSearchedService } from './searchedService.ts';
import { actUntil, until } from './until.ts';

const view = 'workflowAutomation.executions';
const workflowsView = 'workflowAutomation.workflows';
const Created = v.object({ id: v.string() });

const trigger = { id: 'start', name: 'Start', type: 'trigger', config: {} };
const refuseMuch = 'input.amount > 100 ? $error("Too much for " & input.invoice) : {"number": input.invoice}';
const invoices = {
  name: 'Invoices',
  nodes: [
    trigger,
    { id: 'check', name: 'Check amount', type: 'transform', config: { expression: refuseMuch } },
  ],
  edges: [{ source: 'start', target: 'check' }],
};

const question = 'Any text or number';
const message = () => page.texts(`${viewSelector(view)} .message`);
const says = (words: string) => until(message, ([line = '']) => line.includes(words));
const countFound = async (): Promise<number> => {
  const [, count = ''] = /([\d,]+)( newest)? found/.exec((await message()).join()) ?? [];
  return Number(count.replaceAll(',', ''));
};
const labels = async () => (await page.rows(view)).map(({ label }) => label);
const selectedText = (): string => {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.getText(editor.selection) ?? '';
};
/** Waits until the row with this label is under the cursor of the question. */
const untilFocused = (label: string): Promise<unknown> =>
  until(
    () => page.cursor('.quick-input-widget .monaco-list-row.focused .label-name'),
    (cursor) => cursor?.text.trim() === label,
  );

/** Types a query into the open question, and takes it at once. */
const search = (query: string): Promise<void> => write(question, query);

const openQuestion = (): Promise<void> =>
  untilAsked(question, () => runInPalette('Workflows: Search Executions…'));

async function startSearch(query: string): Promise<void> {
  await openQuestion();
  await search(query);
}

/** Presses a key on the row with this label, and again where the keys met rows that were being drawn anew. */
const pressOnRow = (label: string, key: string, isDone: () => Promise<boolean>): Promise<void> =>
  actUntil(async () => {
    await focusRow(view, label);
    await page.press(key);
  }, isDone);

describe('searching executions', () => {
  let service: OwnService;
  let connectionId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '100000');
    connectionId = await connect('Searching', service);
    const { id } = await postTo(service, Created, '/workflows', invoices);
    await postTo(service, v.unknown(), `/workflows/${id}/deploy`, {});
    for (let at = 1; at <= 12; at += 1) {
      const input = { invoice: `INV-${at}`, amount: at % 4 === 0 ? 500 : at };
      await postTo(service, v.unknown(), `/workflows/${id}/execute`, { input });
    }
    await giveRoom(view, ['workflowAutomation.portalEvents', 'workflowAutomation.connections']);
    await vscode.commands.executeCommand('workflowAutomation.executions.refresh');
    await untilRow(view, 'Invoices', ({ accessibleName }) => accessibleName.includes('completed'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workflowAutomation.executions.clearSearch');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('completes and checks what is written', async function () {
    requirePage(this);
    await openQuestion();
    await page.waitFor('.quick-input-widget .monaco-list-row');
    await page.screenshot('search-empty');
    await typeOver(question, 'sta');
    await untilFocused('sta');
    await page.press('ArrowDown');
    await untilFocused('status:');
    await page.screenshot('search-completion');
    await page.press('Enter');
    await untilFocused('status:failed');
    await page.screenshot('search-values');
    await page.press('Enter');
    await until(page.written, (written) => written === 'status:failed ');
    await typeOver(question, 'status:faild');
    const mistake = '.quick-input-widget .monaco-list-row.focused:has-text("Did you mean failed?")';
    await page.waitFor(mistake);
    await page.press('Enter');
    await page.waitFor(mistake);
    await page.screenshot('search-mistake');
    await search('status:failed');
    await says('status:failed: 3 executions found');
    await until(labels, (all) => all.join() === 'Clear Search,Invoices,Invoices,Invoices');
  });

  it('takes what is written, however soon Enter follows', async function () {
    requirePage(this);
    for (const query of ['inv-1', 'inv-7', 'too much', 'inv-12']) {
      await openQuestion();
      await typeOver(question, '');
      await page.type(`${query}\n`);
      await says(`${query}: `);
    }
  });

  it('shows where the text was found, and Enter opens that value', async function () {
    requirePage(this);
    await startSearch('inv-7');
    await says('inv-7: 1 execution found');
    await untilRow(view, 'Invoices', ({ accessibleName }) => accessibleName.includes('input: invoice'));
    await page.screenshot('search-found');
    await pressOnRow('Invoices', 'Enter', () => Promise.resolve(selectedText() === 'INV-7'));
    await page.screenshot('search-opened');
    const isUnfolded = async () => (await page.rows(view)).some(({ level }) => level === 2);
    await pressOnRow('Invoices', 'ArrowRight', isUnfolded);
    // Below the places; the others may be out of sight.
    await untilRow(view, 'Start');
    await page.screenshot('search-unfolded');
    await pressOnRow('Clear Search', 'Enter', async () => !(await labels()).includes('Clear Search'));
    await until(message, (lines) => lines.every((line) => line === ''));
  });

  it('acts on all that was found, after a plan with their number', async function () {
    requirePage(this);
    await startSearch('status:failed too much');
    await says('3 executions found');
    await runInPalette('Workflows: Act on All Found Executions…');
    const asked = 'Select what to do with the found executions: 3';
    assert.deepEqual(
      (await readChoices(asked)).map((label) => label.trim()),
      ['Retry from Failed Node…', 'Execute Again…', 'Create Tests…'],
    );
    await page.screenshot('search-acts');
    await choose(asked, 'Retry from Failed Node…');
    const plan = 'Retry 3 executions?';
    assert.deepEqual(await readChoices(plan), ['Cancel', 'Retry as Deployed', 'Retry as It Ran']);
    await page.screenshot('search-plan');
    await choose(plan, 'Retry as Deployed');
    await until(
      () => page.notifications(),
      (all) => all.includes('Executions retried: 3.'),
    );
    await vscode.commands.executeCommand('workflowAutomation.executions.clearSearch');
    await untilRow(view, 'Invoices', ({ accessibleName }) => accessibleName.includes('retry of'));
  });

  it('keeps a search above the rows, counts it in the badge, and forgets it', async function () {
    requirePage(this);
    await startSearch('status:completed');
    await says('9 executions found');
    await untilAsked('Name of the saved search', () => runInPalette('Workflows: Save Search…'));
    await write('Name of the saved search', 'Done');
    await vscode.commands.executeCommand('workflowAutomation.executions.clearSearch');
    await runOnRow(view, 'Done', 'Count in Badge');
    await untilRow(view, 'Done', ({ accessibleName }) => accessibleName === 'Saved search Done, 9 found');
    await page.screenshot('search-saved');
    await pressOnRow('Done', 'Enter', async () => (await message()).join('').includes('9 executions found'));
    await vscode.commands.executeCommand('workflowAutomation.executions.clearSearch');
    await focusRow(view, 'Done');
    await pressOnRow('Done', 'Delete', async () => !(await labels()).includes('Done'));
  });

  it('says how a workflow usually goes, and leads to what took longest', async function () {
    requirePage(this);
    await runOnRow(workflowsView, 'Invoices', 'Open Execution Statistics', 'Open');
    await until(
      () => vscode.window.activeTextEditor?.document.getText() ?? '',
      (text) => text.includes('Check amount') && /of the \d+ newest/.test(text),
    );
    await page.screenshot('statistics');
    const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail();
    const links = await until(
      () => vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', uri),
      (all) => all.some(({ tooltip }) => tooltip === 'Open Node Run'),
    );
    const { start } = links.findLast(({ tooltip }) => tooltip === 'Open Node Run')?.range ?? assert.fail();
    await page.waitFor('.view-line .detected-link');
    // The editor takes a moment until it knows a link.
    await until(async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor?.document.uri.toString() === uri.toString()) {
        editor.selection = new vscode.Selection(start.translate(0, 1), start.translate(0, 1));
        await vscode.commands.executeCommand('editor.action.openLink');
      }
      return vscode.window.activeTextEditor?.document.getText().includes('"nodeId"') === true;
    }, Boolean);
  });
});

describe('searching executions of another service', () => {
  let service: SearchedService;

  const begin = async (name: string, options: Parameters<typeof startSearchedService>[1]): Promise<void> => {
    service = await startSearchedService(name, options);
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Orders');
  };
  afterEach(async () => {
    await disconnect(service.connectionId);
    service.stop();
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('is paused, resumed and cancelled, and says how far it is', async function () {
    requirePage(this);
    await begin('Slow', { count: 5, isSearching: false });
    const letGo = service.hold();
    await startSearch('A-exec_000003');
    await says('Searching…');
    await untilRow(view, 'Pause Search');
    await page.screenshot('search-running');
    await pressOnRow('Pause Search', 'Enter', async () => (await labels()).includes('Resume Search'));
    await says('Paused');
    await page.screenshot('search-paused');
    await pressOnRow('Resume Search', 'Enter', async () => (await labels()).includes('Pause Search'));
    await runInPalette('Workflows: Cancel Search');
    await says('Cancelled');
    letGo();
    await startSearch('A-exec_000003');
    await says('1 execution found');
    await untilRow(view, 'Orders', ({ accessibleName }) => accessibleName.includes('input: order'));
  });

  it('has 5,000 found rows that scroll, and can all be acted on', async function () {
    requirePage(this);
    await begin('Many', { count: 5200, isSearching: true });
    await startSearch('A-');
    await until(message, ([line = '']) => line.includes('The 100 newest found'));
    await page.screenshot('search-many');
    await runInPalette('Workflows: Act on All Found Executions…');
    // On a slow machine all of them take longer than a test waits for one thing.
    for (const thousands of [1, 2, 3, 4, 5]) await until(countFound, (count) => count >= thousands * 1000);
    await choose('Select what to do with the found executions: 5,000', 'Retry from Failed Node…');
    await escape('Retry 5,000 executions?');
    await vscode.commands.executeCommand(`${view}.focus`);
    await until(
      async () => {
        await page.press('End');
        return page.rows(view);
      },
      (rows) => rows.some(({ accessibleName }) => accessibleName.startsWith('The newest 5,000 are shown')),
    );
    await page.screenshot('search-end');
    await page.press('ArrowUp');
    await page.press('PageUp');
    await until(
      () => page.rows(view),
      (rows) => rows.some(({ accessibleName }) => accessibleName.includes('output: order.id')),
    );
  });
});
