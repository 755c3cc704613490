// The graph of a workflow in a real VS Code: it follows an execution live, and selections go both ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
import { inPage, node, selectNode } from './graphPage.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { foldAll } from './keyboard.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const workflowsView = 'workflowAutomation.workflows';

describe('the graph of a workflow', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Graphs', service);
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', false, vscode.ConfigurationTarget.Global);
    ({ id: workflowId } = await findWorkflow('Order totals'));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await disconnect(connectionId);
    await service.stop();
  });

  it('shows the nodes of a definition, and how they go while an execution runs', async function () {
    requirePage(this);
    await run(v.unknown(), 'workflow.showGraph', { workflowId });
    await page.waitFor(node('receipt', 'data-state="none"'));
    await page.waitFor(inPage('.headText:text-is("Not executed yet")'));
    const line = { product: 'Tea', quantity: 2, price: 1.5 };
    await execute(workflowId, { lines: [line, line], taxPercent: 7 });
    await page.waitFor(node('receipt', 'data-state="completed"'));
    await page.waitFor(node('price', 'data-state="completed"'));
    await until(
      () => page.texts(node('price')),
      ([text = '']) => /^Price the line\s+completed · ×2 · /.test(text),
    );
    await page.waitFor(inPage('.lane[data-id="sum"] .bar[data-state="completed"]'));
    await page.screenshot('graph-completed');
  });

  it('selects the node with the cursor, and the other way round without taking the focus', async function () {
    requirePage(this);
    const uri = await run(v.string(), 'workflow.open', { workflowId, nodeId: 'sum' });
    await page.waitFor(node('sum', 'aria-selected="true"'));
    await selectNode('price');
    const selected = () => {
      const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
      return editor?.document.getText(editor.selection);
    };
    await until(selected, (text) => text === '"Price the line"');
    // What the definition then tells of its cursor changes nothing.
    await page.waitFor(node('price', 'aria-selected="true"'));
    await page.screenshot('graph-selected');
  });

  it('selects the row of a node in the Workflows view where that is unfolded, and keeps the focus', async function () {
    requirePage(this);
    const view = viewSelector(workflowsView);
    const selectedRow = (label: string) =>
      page.waitFor(`${view} .monaco-list-row.selected:has-text("${label}")`);
    await vscode.commands.executeCommand(`${workflowsView}.focus`);
    await page.waitFor(`${view} .monaco-list-row:has-text("Order totals")`);
    await execute(workflowId, { lines: [{ product: 'Tea', quantity: 2, price: 1.5 }], taxPercent: 7 });
    await page.waitFor(`${view} .monaco-list-row[aria-level="3"]:has-text("Receipt")`);
    await page.waitFor(inPage('.head .icon[data-state="completed"]'));
    await selectNode('sum');
    await selectedRow('Add up');
    await page.press('ArrowRight');
    await selectedRow('Receipt');
    await page.waitFor(inPage('.node[data-id="receipt"]:focus'));
    // Its loop is folded, and its row changes nothing in the graph.
    await selectNode('price');
    await selectedRow('For each line');
    await page.screenshot('graph-selected-row');
    await foldAll(workflowsView);
    await selectNode('sum');
    assert.deepEqual(
      (await page.rows(workflowsView)).filter(({ level }) => level > 1),
      [],
    );
  });

  it('opens the node run with Enter', async function () {
    requirePage(this);
    await selectNode('sum');
    await page.press('Enter');
    await page.waitFor('.tab.active:has-text("Add up")');
    await page.waitFor(node('sum', 'aria-selected="true"'));
  });

  it('keeps the selection while it is hidden', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await page.waitUntilGone(node('sum'));
    await vscode.commands.executeCommand('workflowAutomation.graph.focus');
    await page.waitFor(node('sum', 'aria-selected="true"'));
  });

  it('shows an execution that is chosen, and the latest again', async function () {
    requirePage(this);
    const { executionId: first } = await execute(workflowId, { lines: [], taxPercent: 7 });
    assert.ok(first);
    await page.waitFor(inPage('.head .icon[data-state="failed"]'));
    const executions = await run(
      v.array(v.object({ id: v.string(), status: v.string() })),
      'execution.list',
      { workflowId },
    );
    const completed = executions.find(({ status }) => status === 'completed');
    assert.ok(completed);
    await run(v.unknown(), 'execution.showInGraph', { executionId: completed.id });
    await page.waitFor(inPage(`.headText:has-text("${completed.id.slice(-6)}")`));
    await clickUntil(inPage('button[aria-label="Show Latest"]'), () =>
      page.isThere(inPage('.head .icon[data-state="failed"]')),
    );
  });
});
