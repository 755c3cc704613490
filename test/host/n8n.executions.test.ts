// Executions of an n8n: what is told of their nodes while they run, and of an end that isn't kept.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { turnOf } from '../support/n8n/world.ts';
import { run } from './commands.ts';
import { untilInFront, untilUriInFront } from './front.ts';
import { choose, unfold, untilRow } from './keyboard.ts';
import { answerNotification, untilNotified } from './notifications.ts';
import { node } from './graphPage.ts';
import { pressLens } from './lenses.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage, type Row } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const content = {
  name: 'Sorts',
  nodes: [{ id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } }],
  connections: {},
  settings: { saveDataSuccessExecution: 'none', timezone: 'UTC' },
};

const untilShown = (part: string) => untilInFront((document) => document.getText().includes(part));

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
    await unfold(view, 'Sorts');
    await untilRow(
      view,
      '',
      ({ description }) => description === 'n8n reports nodes when the execution ends',
    );
    await page.screenshot('n8n-row-nodes-at-end');
  });

  it('says that its nodes come at the end, and offers to change that, which asks first', async () => {
    await run(v.unknown(), 'execution.showLogs', { executionId });
    const told = 'n8n reports the nodes of "Sorts" only when an execution ends.';
    await untilNotified(told);
    await page.screenshot('n8n-nodes-at-end');
    await answerNotification(told, 'Show While Running…');
    await choose('Let "Sorts" save its progress?', 'Save Progress');
    const settings = await until(
      () => n8n.workflows.get(workflowId)?.settings ?? {},
      (found) => found['saveExecutionProgress'] === true,
    );
    assert.equal(settings['timezone'], 'UTC');
    await vscode.commands.executeCommand('notifications.hideList');
  });

  it('leads from a node to the execution that it started, and back', async () => {
    const { id: callerId } = n8n.addWorkflow({ ...content, name: 'Calls', settings: {} });
    const parent = n8n.start(callerId);
    const own = {
      nodes: [{ id: 'c1', name: 'Inner', type: 'n8n-nodes-base.executeWorkflowTrigger', parameters: {} }],
      connections: {},
    };
    const child = n8n.start(callerId, { mode: 'integrated', parent: parent.id, own });
    n8n.ran(child.id, 'Inner', turnOf(Date.now(), 0, [{}]));
    n8n.end(child.id, 'success');
    const turn = turnOf(Date.now(), 0, [{}]);
    const metadata = { subExecution: { executionId: String(child.id), workflowId: callerId } };
    n8n.ran(parent.id, 'Input', { ...turn, metadata });
    n8n.end(parent.id, 'success');
    await vscode.commands.executeCommand('workflowAutomation.executions.refresh');
    await untilRow(view, 'Calls');
    const [parentId, childId] = [parent, child].map(({ id }) => String(id));
    const ofInput = await run(v.string(), 'nodeRun.open', { executionId: parentId, nodeId: 'Input' });
    await pressLens(await untilUriInFront(ofInput), 'Open Child Execution');
    const shownChild = await untilShown(`"id": "${childId}"`);
    await page.screenshot('n8n-child');
    await pressLens(shownChild, `Open Execution ${parentId}`);
    await untilShown(`"id": "${parentId}"`);
    await untilUriInFront(await run(v.string(), 'execution.openParent', { executionId: childId }));
    const ofChild = await run(v.string(), 'nodeRun.openChild', { executionId: parentId, nodeId: 'Input' });
    await untilUriInFront(ofChild);
    // What it ran is only in its own record.
    await run(v.unknown(), 'execution.showInGraph', { executionId: childId });
    await page.waitFor(node('Inner', 'data-state="completed"'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('ends as not kept, neither running on nor failed', async () => {
    n8n.end(Number(executionId), 'success');
    const isNotKept = ({ description }: Row): boolean => description.includes('ended, not kept by n8n');
    await untilRow('workflowAutomation.workflows', 'Sorts', isNotKept);
    // n8n lists it no longer, so its row may be gone from the list of all.
    await until(
      () => page.rows(view),
      (rows) => rows.length > 0 && rows.filter(({ label }) => label === 'Sorts').every(isNotKept),
    );
    await page.screenshot('n8n-not-kept');
    const uri = await run(v.string(), 'execution.openOutput', { executionId });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    assert.match(document.getText(), /The execution has ended, and n8n keeps no record of it\./);
    await run(v.unknown(), 'execution.open', { executionId });
    await run(v.unknown(), 'execution.showLogs', { executionId });
  });
});
