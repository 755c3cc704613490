// What tabs, hovers, breadcrumbs and lists show of our documents must say whose they are in words of a person, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { hoverUntil } from './clicks.ts';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
import { closePrompt } from './keyboard.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

describe('the labels of our documents', () => {
  let service: OwnService;
  const connectionIds: string[] = [];
  let workflowId: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    for (const name of ['Production', 'Staging: "eu"/2']) {
      connectionIds.push(await connect(name, service));
    }
    workflowId = (await findWorkflow('Order totals')).id;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const connectionId of connectionIds) await disconnect(connectionId);
    await service.stop();
  });

  /** The tabs as one line each: the editor sets name, ending and description apart. */
  const tabs = async () => (await page.texts('.tabs-container .tab')).map((text) => text.replace(/\s+/g, ''));
  const tabHover = '.workbench-hover-container .hover-contents';
  const hoverTab = (text: string): Promise<void> =>
    hoverUntil('.tabs-container .tab.active .tab-label', `${tabHover}:has-text(${JSON.stringify(text)})`);
  /** Whatever is drawn anywhere, for what must not be there. */
  const assertNoIds = async (selector: string, ...ids: readonly string[]): Promise<void> => {
    for (const text of await page.texts(selector))
      for (const id of [...connectionIds, workflowId, ...ids]) assert.ok(!text.includes(id), text);
  };

  it('name the connection where two documents have one name', async function () {
    requirePage(this);
    for (const connectionId of connectionIds) {
      await run(v.string(), 'workflow.open', { connectionId, workflowId });
      await run(v.string(), 'workflow.openInput', { connectionId, workflowId });
    }
    const wanted = ['Ordertotals.workflow.json', 'Ordertotals.input.json'].flatMap((name) =>
      ['Production', 'Stagingeu2'].map((connection) => name + connection),
    );
    await until(tabs, (all) => all.toSorted().join() === wanted.toSorted().join());
    await page.screenshot('labels-tabs');
  });

  it('stand in hover, breadcrumbs and the list of editors', async function () {
    requirePage(this);
    const label = 'Staging eu 2/Order totals.input.json';
    await hoverTab(label);
    for (const text of await page.texts(tabHover)) assert.equal(text, label);
    await page.screenshot('labels-hover');
    await until(
      () => page.texts('.breadcrumbs-control .monaco-breadcrumb-item'),
      (crumbs) => crumbs.slice(0, 2).join('/') === label,
    );
    await vscode.commands.executeCommand('workbench.action.showAllEditorsByMostRecentlyUsed');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Production")');
    await page.screenshot('labels-list');
    await assertNoIds('.quick-input-widget .monaco-list-row');
    await closePrompt();
  });

  it('stand in the list of what was open, and above a comparison', async function () {
    requirePage(this);
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const input = { lines: [{ product: 'Tea', quantity: 1, price: 1 }] };
    const ids: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { executionId } = await execute(workflowId, input);
      assert.ok(executionId);
      ids.push(executionId);
      await run(v.string(), 'execution.open', { executionId });
    }
    const [executionId = '', otherExecutionId = ''] = ids;
    await run(v.unknown(), 'execution.compare', { executionId, otherExecutionId });
    await page.waitFor('.tabs-container .tab.active:has-text("↔")');
    await page.screenshot('labels-comparison');
    await hoverTab('Staging eu 2/Order totals');
    await assertNoIds(tabHover, executionId, otherExecutionId);
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Order totals.input.json")');
    await page.screenshot('labels-quick-open');
    await assertNoIds('.quick-input-widget .monaco-list-row', executionId, otherExecutionId);
    await closePrompt();
  });
});
