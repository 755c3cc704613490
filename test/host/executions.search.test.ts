// A person finds executions by what stands in them, opens the place, acts on all that were found, and sees how a workflow usually goes.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect } from './commands.ts';
import { runInPalette, runOnRow, typeOver, untilRow } from './keyboard.ts';
import { type OwnService, postTo, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const Created = v.object({ id: v.string() });

const trigger = { id: 'start', name: 'Start', type: 'trigger', config: {} };
const invoices = {
  name: 'Invoices',
  nodes: [
    trigger,
    {
      id: 'check',
      name: 'Check amount',
      type: 'transform',
      config: {
        expression:
          'input.amount > 100 ? $error("Too much for " & input.invoice) : {"invoice": {"number": input.invoice}}',
      },
    },
  ],
  edges: [{ source: 'start', target: 'check' }],
};

const message = () => page.texts(`${viewSelector(view)} .message`);
const question = 'Any text or number';
const own = '.quick-input-widget .monaco-list-row.focused';

describe('searching executions', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  const executeElsewhere = (input: object) =>
    postTo(service, v.unknown(), `/workflows/${workflowId}/execute`, { input });

  before(async () => {
    service = await startOwnService('--requests-per-minute', '100000');
    connectionId = await connect('Searching', service);
    ({ id: workflowId } = await postTo(service, Created, '/workflows', invoices));
    await postTo(service, v.unknown(), `/workflows/${workflowId}/deploy`, {});
    for (let at = 1; at <= 12; at += 1)
      await executeElsewhere({ invoice: `INV-${at}`, amount: at % 4 === 0 ? 500 : at });
    await vscode.commands.executeCommand(`${view}.focus`);
    await vscode.commands.executeCommand('workflowAutomation.executions.refresh');
    await untilRow(view, 'Invoices', ({ accessibleName }) => accessibleName.includes('completed'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('completes and checks what is written, and shows what was found with its place', async function () {
    requirePage(this);
    await runInPalette('Workflows: Search Executions…');
    await page.waitFor('.quick-input-widget .monaco-list-row');
    await page.screenshot('search-empty');
    await typeOver(question, 'sta');
    await page.waitFor(`${own}:has-text("sta")`);
    await page.screenshot('search-completion');
    await page.press('ArrowDown');
    await page.press('Enter');
    await until(page.written, (written) => written === 'status:');
    await page.screenshot('search-values');
    await typeOver(question, 'status:faild');
    await page.waitFor(`${own}:has-text("Did you mean")`);
    await page.screenshot('search-mistake');
    await typeOver(question, 'inv-7');
    await page.waitFor(`${own}:has-text("Press Enter to search")`);
    await page.press('Enter');
    await until(message, ([line]) => line === 'inv-7: 1 execution found');
    await page.screenshot('search-found');
    await page.press('End');
    await page.screenshot('search-found-focus');
    const rows = await page.rows(view);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['Clear Search', 'Invoices'],
    );
    await page.press('Enter');
    await until(
      () => vscode.window.activeTextEditor?.document.getText(vscode.window.activeTextEditor.selection) ?? '',
      (text) => text === 'INV-7',
    );
    await page.screenshot('search-opened');
    await vscode.commands.executeCommand(`${view}.focus`);
    await page.press('End');
    await page.press('ArrowRight');
    await until(
      () => page.rows(view),
      (all) => all.some(({ level }) => level === 2),
    );
    await page.screenshot('search-unfolded');
  });

  it('says how a workflow usually goes', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('workflowAutomation.executions.clearSearch');
    await vscode.commands.executeCommand('workflowAutomation.workflows.focus');
    await runOnRow('workflowAutomation.workflows', 'Invoices', 'Open Execution Statistics', 'Open');
    await until(
      () => vscode.window.activeTextEditor?.document.getText() ?? '',
      (text) => text.includes('Check amount') && text.includes('of the 12 newest'),
    );
    await page.screenshot('statistics');
    await page.hover(`${viewSelector('workflowAutomation.workflows')} .monaco-list-row:has-text("Invoices")`);
    await page.waitFor('.monaco-hover:visible');
    await page.screenshot('statistics-hover');
  });
});
