// The main job on an n8n: workflows are listed, executed and read as anywhere, and what n8n doesn't have is hidden and refused.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { type CommandName, commandId } from '../../src/editor/commands/names.ts';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { turnOf } from '../support/n8n/world.ts';
import { pressInEditor, stopDebugging, untilFrames } from './callStack.ts';
import { connect, disconnect, execute, listExecutions, listWorkflows, run } from './commands.ts';
import { untilUriInFront } from './front.ts';
import {
  choose,
  isAsking,
  readMenu,
  runOnRow,
  untilAsked,
  untilNoRow,
  untilPaletteOffers,
  untilRow,
} from './keyboard.ts';
import { clearNotifications, untilNotified } from './notifications.ts';
import { drawnLens, lensLink, pressLens } from './lenses.ts';
import { startOwnService } from './ownService.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const workflows = 'workflowAutomation.workflows';
const executions = 'workflowAutomation.executions';
const events = 'workflowAutomation.portalEvents';
const opened = v.string();
const nodes = [
  {
    id: 'n1',
    name: 'Input',
    type: 'n8n-nodes-base.webhook',
    webhookId: 'hook',
    parameters: { path: 'orders', httpMethod: 'POST' },
  },
  { id: 'n2', name: 'Price', type: 'n8n-nodes-base.code', parameters: {} },
];
const connections = { Input: { main: [[{ node: 'Price', type: 'main', index: 0 }]] } };
const text = () => vscode.window.activeTextEditor?.document.getText() ?? '';

/** Rejects in the name of n8n, from code. */
const isRefused = (name: CommandName, argument: object) =>
  assert.rejects(
    async () => vscode.commands.executeCommand(commandId(name), argument),
    (error) => error instanceof Error && error.message.includes('not offered by n8n'),
    name,
  );

describe('an n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let connectionId: string;
  let workflowId: string;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    ({ n8n } = own);
    workflowId = n8n.addWorkflow({ name: 'Orders', nodes, connections, settings: {} }).id;
    n8n.addWorkflow({ name: 'Reports', nodes, connections, settings: {} });
    connectionId = await own.connect();
  });
  after(() => own.stop());

  it('lists its workflows, deploys one, and executes it right after that', async () => {
    await vscode.commands.executeCommand(`${workflows}.focus`);
    await untilRow(workflows, 'Reports');
    await runOnRow(workflows, 'Orders', 'Deploy Workflow');
    await untilRow(workflows, 'Orders', ({ accessibleName }) =>
      accessibleName.startsWith('Orders, deployed'),
    );
    const { eventIds, status } = await execute(workflowId, { price: 3 });
    assert.deepEqual([eventIds.length, status], [1, 'triggered']);
    const [found, ...others] = await listExecutions();
    assert.deepEqual([found, others], [{ id: '1', workflowId, status: 'running' }, []]);
    await vscode.commands.executeCommand(`${executions}.focus`);
    await untilRow(executions, 'Orders', ({ accessibleName }) => accessibleName.includes('running'));
    await page.screenshot('n8n-running');
  });

  it('tells the end, the input, the output and the log of an execution', async () => {
    const { startedAt } = n8n.executions.get(1) ?? assert.fail();
    const turn = turnOf(Date.parse(startedAt) + 5, 1, [{ total: 3 }, { total: 4 }], {
      previousNode: 'Input',
    });
    n8n.ran(1, 'Price', turn);
    n8n.end(1, 'success');
    await vscode.commands.executeCommand('workflowAutomation.executions.refresh');
    await untilRow(executions, 'Orders', ({ accessibleName }) => accessibleName.includes('completed'));
    const shownBy = async (name: CommandName): Promise<string> =>
      (await untilUriInFront(await run(opened, name, { executionId: '1' }))).getText();
    assert.deepEqual(JSON.parse(await shownBy('execution.openInput')), { price: 3 });
    assert.deepEqual(JSON.parse(await shownBy('execution.openOutput')), [{ total: 3 }, { total: 4 }]);
    await page.screenshot('n8n-output');
    await run(opened, 'execution.openLog', { executionId: '1' });
    await until(text, (shown) => /Input[^]*Price/.test(shown));
    await page.screenshot('n8n-log');
    await run(opened, 'execution.openTimeline', { executionId: '1' });
    await until(text, (shown) => shown.includes('Price'));
    await page.screenshot('n8n-timeline');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('steps through an execution, from which no node can be retried', async () => {
    await run(v.unknown(), 'execution.debug', { executionId: '1' });
    await untilFrames('Input', 'Orders');
    await pressInEditor('F10');
    await untilFrames('Price', 'Orders');
    await page.waitFor('.debug-variables .monaco-list-row:has-text("output")');
    await page.hover('.debug-call-stack .stack-frame:has-text("Price")');
    await page.screenshot('n8n-debug');
    assert.deepEqual(await page.texts('.debug-call-stack .codicon-debug-restart-frame'), []);
    await stopDebugging();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('shows nothing of what n8n has not, in views, menus and the palette', async () => {
    await vscode.commands.executeCommand(`${workflows}.focus`);
    await page.waitUntilGone(viewSelector(events));
    await page.screenshot('n8n-views');
    const menu = await readMenu(workflows, 'Orders');
    assert.ok(menu.includes('Open Workflow in n8n'), menu.join());
    const page1 = `${own.address}/workflow/${workflowId}/executions/1`;
    assert.equal(await run(opened, 'execution.openInN8n', { executionId: '1' }), page1);
    const { startedAt = '' } = n8n.executions.get(1) ?? {};
    const nodeRunKey = JSON.stringify(['Price', [], 1, Date.parse(startedAt) + 5]);
    const ofRun = { executionId: '1', nodeRunKey };
    assert.equal(await run(opened, 'execution.openInN8n', ofRun), `${page1}/n2`);
    assert.ok(
      menu.includes('Execute Workflow') && !menu.some((entry) => entry.includes('Draft')),
      menu.join(),
    );
    // It retries a whole execution only, and has no drafts that a pin would be for.
    const ofNode = await readMenu(workflows, 'Price');
    assert.ok(
      ['Open Node Run', 'Open Execution in n8n'].every((entry) => ofNode.includes(entry)) &&
        !ofNode.some((entry) => /Retry|Pin/.test(entry)),
      ofNode.join(),
    );
    await page.waitUntilGone('.statusbar-item:has-text("left")');
    for (const [title, isOffered] of [
      ['List Executions…', true],
      ['Replace MCP Token…', true],
      ['List Portal Events…', false],
      ['Filter Portal Events…', false],
      ['Create API Key…', false],
      ['Revoke API Key…', false],
      ['Execute as Draft', false],
    ] as const) {
      await untilPaletteOffers(`Workflows: ${title}`, isOffered);
    }
  });

  it('refuses that from code, in its name, and sends nothing', async () => {
    const { length } = n8n.requests;
    await isRefused('workflow.executeDraft', { workflowId, input: {} });
    await isRefused('portalEvents.list', {});
    await isRefused('portalEvents.refresh', {});
    await isRefused('portalEvents.loadMore', {});
    await isRefused('portalEvents.markAllRead', {});
    await isRefused('portalEvents.filter', { type: 'order.received' });
    await isRefused('portalEvents.clearFilter', {});
    await isRefused('portalEvent.open', { eventId: 'evt_1' });
    await isRefused('portalEvent.executeWith', { eventId: 'evt_1', workflowId });
    await isRefused('portalEvents.send', { type: 'order.received', data: {} });
    await isRefused('workflow.copyAs', { workflowId, as: 'curl' });
    await isRefused('nodeRun.retry', { executionId: '1', nodeId: 'Price' });
    await isRefused('nodeRun.pinOutput', { executionId: '1', nodeId: 'Price' });
    await isRefused('node.editPin', { workflowId, nodeId: 'Price' });
    await isRefused('node.execute', { workflowId, nodeId: 'Price' });
    await isRefused('node.executeUpTo', { workflowId, nodeId: 'Price' });
    await isRefused('apiKey.create', { name: 'New', expiration: '30d' });
    await isRefused('apiKey.revoke', { keyId: 'key_1' });
    const others = n8n.requests.slice(length).filter(({ method }) => method !== 'GET');
    assert.deepEqual(others, []);
  });

  it('has the view of portal events back on a service, and gone from an open side bar after a switch', async () => {
    const service = await startOwnService();
    const serviceId = await connect('Service', service);
    await vscode.commands.executeCommand(`${events}.focus`);
    await page.waitFor(`${viewSelector(events)} .welcome-view-content:has-text("No portal events yet.")`);
    await page.screenshot('n8n-service-views');
    await assert.rejects(
      async () => vscode.commands.executeCommand(commandId('workflow.openInN8n'), { workflowId: 'wf_1' }),
      /no page for it in a browser/,
    );
    await clearNotifications();
    const switching = vscode.commands.executeCommand(commandId('connection.switch'));
    await choose('Select a connection', 'Mine');
    await switching;
    await page.waitUntilGone(viewSelector(events));
    await untilRow(workflows, 'Reports');
    await until(
      () => page.notifications(),
      (all) => all.length === 0,
    );
    void vscode.commands.executeCommand(commandId('portalEvents.filter'));
    await untilNotified('This is not offered by n8n.');
    await clearNotifications();
    await disconnect(serviceId);
    await service.stop();
  });

  it('offers to archive where a delete would take the executions too', async () => {
    n8n.addWorkflow({ name: 'Old', nodes, connections, settings: {} });
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await untilRow(workflows, 'Old');
    await runOnRow(workflows, 'Old', 'Delete Workflow…');
    await page.waitFor('.quick-input-widget:has-text("Past executions are deleted too.")');
    await page.screenshot('n8n-delete');
    await choose('Delete workflow "Old"', 'Archive');
    await untilRow(workflows, 'Old', ({ accessibleName }) => accessibleName.includes('archived'));
    assert.equal([...n8n.workflows.values()].filter(({ isArchived }) => isArchived).length, 1);
    await page.screenshot('n8n-archived');
  });

  it('offers to take an archived one back, in place of what n8n refuses of it', async () => {
    const old = [...n8n.workflows.values()].find(({ name }) => name === 'Old') ?? assert.fail();
    const menu = await readMenu(workflows, 'Old');
    assert.ok(
      ['Open', 'Unarchive Workflow', 'Delete Workflow…'].every((entry) => menu.includes(entry)),
      menu.join(),
    );
    assert.ok(!menu.some((entry) => /^(Execute|Deploy|Rename)/.test(entry)), menu.join());
    const uri = vscode.Uri.parse(await run(opened, 'workflow.open', { workflowId: old.id }), true);
    await page.waitFor(drawnLens('Archived'));
    await page.screenshot('n8n-archived-definition');
    await page.waitUntilGone(lensLink('Execute'));
    await page.waitUntilGone('.editor-actions .action-label[aria-label^="Deploy"]');
    for (const title of ['Execute Workflow', 'Deploy Workflow']) {
      await untilPaletteOffers(`Workflows: ${title}`, false);
    }
    const { length } = n8n.requests;
    for (const name of ['workflow.deploy', 'workflow.executeDraft', 'node.executeUpTo'] as const)
      await assert.rejects(
        async () => run(v.unknown(), name, { workflowId: old.id, nodeId: 'Input' }),
        /The workflow is archived/,
        name,
      );
    await assert.rejects(() => execute(old.id, {}), /The workflow is archived/);
    assert.deepEqual(
      n8n.requests.slice(length).filter(({ method }) => method !== 'GET'),
      [],
    );
    await pressLens(await vscode.workspace.openTextDocument(uri), 'Unarchive');
    await untilRow(workflows, 'Old', ({ description }) => description === 'not deployed');
    await page.waitFor(lensLink('Execute'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(`${workflows}.focus`);
  });

  it('deletes one that is deployed, and waits until n8n lets go of it', async () => {
    await vscode.commands.executeCommand(`${workflows}.focus`);
    await untilAsked('Delete workflow "Orders"', () => runOnRow(workflows, 'Orders', 'Delete Workflow…'));
    await choose('Delete workflow "Orders"', 'Delete');
    await untilNoRow(workflows, 'Orders');
    assert.deepEqual(
      (await listWorkflows()).map(({ name }) => name),
      ['Old', 'Reports'],
    );
    assert.deepEqual([n8n.workflows.size, n8n.executions.size], [2, 0]);
  });

  it('starts what has no webhook once it has an MCP token', async () => {
    const trigger = { id: 'n1', name: 'Every night', type: 'n8n-nodes-base.scheduleTrigger', parameters: {} };
    const nightly = n8n.addWorkflow({
      name: 'Nightly',
      nodes: [trigger],
      connections: {},
      settings: { availableInMCP: true },
    });
    n8n.activate(nightly);
    await assert.rejects(() => execute(nightly.id, {}), /Nothing can start it/);
    await run(v.unknown(), 'connection.replaceMcpToken', { connectionId, mcpToken: recordedToken });
    const { executionId } = await execute(nightly.id, {});
    const [started, ...others] = n8n.executions.values();
    assert.deepEqual([started?.workflowId, others], [nightly.id, []]);
    assert.equal(executionId, String(started?.id));
    await vscode.commands.executeCommand(`${executions}.focus`);
    await untilRow(executions, 'Nightly');
  });

  it('asks to let the MCP server execute what has a webhook with an authentication of its own', async () => {
    const closed = n8n.addWorkflow({
      name: 'Closed',
      nodes: nodes.slice(0, 1),
      connections: {},
      settings: {},
    });
    n8n.activate(closed);
    closed.lag = 0;
    const { webhookAnswer } = n8n;
    n8n.webhookAnswer = { status: 401, body: 'Authorization is required', mediaType: 'text/plain' };
    const uri = await run(opened, 'workflow.openInput', { workflowId: closed.id, input: { a: 1 } });
    await pressLens(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)), 'Execute');
    await page.waitFor('.quick-input-widget:has-text("requires authentication of its own")');
    await page.screenshot('n8n-closed-webhook');
    await choose('Let n8n\'s MCP server execute "Closed"?', 'Allow and Execute');
    await until(
      () =>
        [...n8n.executions.values()].filter(
          ({ workflowId: of, mode }) => of === closed.id && mode === 'trigger',
        ),
      (all) => all.length === 1,
    );
    assert.deepEqual(
      [closed.settings, n8n.requests.filter(({ url }) => url === '/webhook/orders').length > 0],
      [{ availableInMCP: true }, true],
    );
    n8n.webhookAnswer = webhookAnswer;
    n8n.deactivate(closed);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('asks at which trigger to begin, and begins again where it was begun', async () => {
    const other = {
      ...nodes[0],
      id: 'n3',
      name: 'Other',
      webhookId: 'other',
      parameters: { path: 'other', httpMethod: 'POST' },
    };
    const two = n8n.addWorkflow({ name: 'Two', nodes: [...nodes, other], connections, settings: {} });
    n8n.activate(two);
    two.lag = 0;
    const starting = run(v.unknown(), 'workflow.execute', {
      workflowId: two.id,
      input: { a: 1 },
      trigger: 'Other',
    });
    await starting;
    assert.ok(n8n.requests.some(({ url }) => url === '/webhook/other'));
    const uri = await run(opened, 'workflow.openInput', { workflowId: two.id, input: { b: 2 } });
    await pressLens(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)), 'Execute');
    await page.waitFor('.quick-input-widget:has-text("POST /webhook/orders")');
    await page.screenshot('n8n-triggers');
    await choose('Select a trigger to begin at', 'Other');
    await until(
      () => n8n.requests.filter(({ url }) => url === '/webhook/other').map(({ text: sent }) => sent),
      (sent) => sent.join() === '{"a":1},{"b":2}',
    );
    const input = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    const sentTo = (path: string) => n8n.requests.filter(({ url }) => url === `/webhook/${path}`).length;
    const [toOther, toFirst] = [sentTo('other'), sentTo('orders')];
    await page.waitFor(lensLink('Begins at "Other"…'));
    await page.screenshot('n8n-trigger-chosen');
    await pressLens(input, 'Execute');
    await until(
      () => sentTo('other'),
      (count) => count === toOther + 1,
    );
    assert.equal(await isAsking(), false);
    // Another one is still a choice.
    await pressLens(input, 'Begins at "Other"…');
    await choose('Select a trigger to begin at', 'Input');
    await until(
      () => sentTo('orders'),
      (count) => count === toFirst + 1,
    );
    await page.waitFor(lensLink('Begins at "Input"…'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
