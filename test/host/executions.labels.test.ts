// What tabs, hovers, breadcrumbs and lists show of our documents must say whose they are in words of a person, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
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
  /** The editor shows a hover when the mouse comes, so it must have been elsewhere. */
  /** Again where the hover doesn't come: what is redrawn under the pointer takes it away. */
  const hoverTab = async (): Promise<void> => {
    await until(
      async () => {
        await page.hover('.part.statusbar');
        await page.hover('.tabs-container .tab.active .tab-label');
        return page.appears('.workbench-hover-container .hover-contents');
      },
      (isShown) => isShown,
    );
  };
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
    const shown = await until(tabs, (all) => all.length === 4);
    for (const name of ['Ordertotals.workflow.json', 'Ordertotals.input.json'])
      for (const connection of ['Production', 'Stagingeu2'])
        assert.ok(shown.includes(name + connection), `${name} of ${connection}: ${shown.join()}`);
    await page.screenshot('labels-tabs');
  });

  it('stand in hover, breadcrumbs and the list of editors', async function () {
    requirePage(this);
    await hoverTab();
    assert.equal(
      await page.text('.workbench-hover-container .hover-contents'),
      'Staging eu 2/Order totals.input.json',
    );
    await page.screenshot('labels-hover');
    const crumbs = await until(
      () => page.texts('.breadcrumbs-control .monaco-breadcrumb-item'),
      (all) => all.length >= 2,
    );
    assert.deepEqual(crumbs.slice(0, 2), ['Staging eu 2', 'Order totals.input.json']);
    await vscode.commands.executeCommand('workbench.action.showAllEditorsByMostRecentlyUsed');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Production")');
    await page.screenshot('labels-list');
    await assertNoIds('.quick-input-widget .monaco-list-row');
    await page.press('Escape');
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
    await hoverTab();
    await page.waitFor('.workbench-hover-container .hover-contents:has-text("Staging eu 2/Order totals")');
    await assertNoIds('.workbench-hover-container .hover-contents', executionId, otherExecutionId);
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("Order totals.input.json")');
    await page.screenshot('labels-quick-open');
    await assertNoIds('.quick-input-widget .monaco-list-row', executionId, otherExecutionId);
    await page.press('Escape');
  });
});
