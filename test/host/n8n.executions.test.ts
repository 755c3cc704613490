// Executions of an n8n: what is told of their nodes while they run, and of an end that isn't kept.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { run } from './commands.ts';
import { choose, untilRow } from './keyboard.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const content = {
  name: 'Sorts',
  nodes: [{ id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } }],
  connections: {},
  settings: { saveDataSuccessExecution: 'none', timezone: 'UTC' },
};

describe('an execution of an n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let workflowId: string;
  let executionId: string;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    ({ n8n } = own);
    await own.connect();
    const workflow = n8n.addWorkflow(content);
    workflowId = workflow.id;
    n8n.activate(workflow);
    executionId = String(n8n.start(workflowId).id);
    await run(v.unknown(), 'workflow.list', {});
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Sorts', ({ description }) => description.includes('running'));
  });
  after(() => own.stop());

  it('says in its row that its nodes come at the end, also where it is not followed', async () => {
    await page.click(`${viewSelector(view)} .monaco-list-row:has-text("Sorts") .monaco-tl-twistie`);
    await untilRow(view, '', ({ description }) => description === 'n8n tells the nodes at the end');
    await page.screenshot('n8n-row-nodes-at-end');
  });

  it('says that its nodes come at the end, and offers to change that, which asks first', async () => {
    await run(v.unknown(), 'execution.showLogs', { executionId });
    const told = 'n8n tells the nodes of "Sorts" at the end of each execution.';
    await until(
      () => page.notifications(),
      (texts) => texts.includes(told),
    );
    await page.screenshot('n8n-nodes-at-end');
    await page.click('.notifications-center .monaco-button:has-text("Show While Running…")');
    await choose('Let "Sorts" save its progress?', 'Save Progress');
    const settings = await until(
      () => n8n.workflows.get(workflowId)?.settings ?? {},
      (found) => found['saveExecutionProgress'] === true,
    );
    assert.equal(settings['timezone'], 'UTC');
    await vscode.commands.executeCommand('notifications.hideList');
  });

  it('ends as not kept, neither running on nor failed', async () => {
    n8n.end(Number(executionId), 'success');
    await untilRow(view, 'Sorts', ({ description }) => description.includes('ended, not kept by n8n'));
    const workflows = 'workflowAutomation.workflows';
    await untilRow(workflows, 'Sorts', ({ description }) => description.includes('ended, not kept by n8n'));
    await page.screenshot('n8n-not-kept');
    const uri = await run(v.string(), 'execution.openOutput', { executionId });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    assert.match(document.getText(), /The execution has ended, and n8n keeps no record of it\./);
    await run(v.unknown(), 'execution.open', { executionId });
    await run(v.unknown(), 'execution.showLogs', { executionId });
  });
});
