// Portal events as a person meets them: they appear while a workflow runs, are counted while nobody looks, opened, filtered, used, sent.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { connect, disconnect, execute, run, startLocalService } from './commands.ts';
import { untilUriInFront } from './front.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, type Row, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.portalEvents';
const Workflow = v.object({ workflowId: v.string() });
const Sent = v.object({ eventIds: v.array(v.string()) });
const Events = v.array(v.object({ id: v.string(), type: v.string(), timestamp: v.string() }));

/** Publishes what it was given; its name tries what a name must not do. */
const publishing = {
  name: 'Orders [x](command:workbench.action.quit)',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    {
      id: 'tell',
      name: 'Tell',
      type: 'portalEvent',
      config: { type: 'order.received', data: { order: '{{ input.order }}' } },
    },
  ],
  edges: [{ source: 'start', target: 'tell' }],
};

const rows = () => page.rows(view);
const message = async () => (await page.texts(`${viewSelector(view)} .message`)).join('\n');
const call = (name: string, ...values: readonly unknown[]) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, ...values);
/** The number on the icon in the activity bar; empty for none. */
const badge = async () =>
  (
    await page.texts('.activitybar .action-item:has([aria-label^="Workflow Automation"]) .badge-content')
  ).join('');
const setListening = (mode: string | undefined) =>
  vscode.workspace
    .getConfiguration('workflowAutomation')
    .update('portalEvents.listen', mode, vscode.ConfigurationTarget.Global);

async function textOf(uri: string): Promise<string> {
  return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true))).getText();
}

async function newest(type: string): Promise<string> {
  const event = (await run(Events, 'portalEvents.list', {})).find((each) => each.type === type);
  assert.ok(event, `There is no event ${type}.`);
  return event.id;
}

describe('the Portal Events view', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  before(async () => {
    service = await startOwnService('--requests-per-minute', '100000');
    connectionId = await connect('Events', service);
    await call('connection.switch', { connectionId });
  });
  after(async () => {
    await setListening(undefined);
    await disconnect(connectionId);
    await service.stop();
  });

  it('says what it is for while there is nothing', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    await page.waitFor(`${viewSelector(view)} .welcome-view-content:has-text("No portal events yet")`);
    await page.screenshot('portal-events-empty');
  });

  it('shows what a workflow publishes while it runs, newest first, with the name of the workflow', async function () {
    requirePage(this);
    ({ workflowId } = await run(Workflow, 'workflow.import', { definition: publishing }));
    await call('workflow.deploy', { workflowId });
    await execute(workflowId, { order: 'A1' });
    const shown = await until(
      rows,
      ([top]) =>
        top?.label === 'execution.completed' &&
        /^(just now|\d+ min ago) · Orders \[x\]\(command:workbench\.action\.quit\) · \w{6}$/.test(
          top.description,
        ) &&
        top.icon.includes('codicon-pass'),
    );
    const labels = shown.map(({ label }) => label);
    assert.ok(labels.indexOf('portal.order.received') < labels.indexOf('execution.triggered'));
    assert.ok(!labels.some((label) => label.startsWith('node.')));
    assert.equal(new Set(shown.map(({ accessibleName }) => accessibleName)).size, shown.length);
    await page.screenshot('portal-events');
    await call('portalEvents.filter', { nodeEvents: true });
    await until(rows, (all) =>
      all.some(
        ({ label, description }) => label === 'node.completed' && description.includes(' · Tell · Orders'),
      ),
    );
    await page.screenshot('portal-events-of-nodes');
    await call('portalEvents.clearFilter');
  });

  it('opens the payload as a document, and gives it as JSON', async () => {
    const eventId = await newest('portal.order.received');
    const uri = await run(v.string(), 'portalEvent.open', { eventId });
    assert.match(uri, /^workflow-event:/);
    const Payload = v.object({
      id: v.string(),
      type: v.string(),
      data: v.looseObject({ order: v.string() }),
    });
    const payload = v.parse(Payload, parseJson(await textOf(uri)));
    assert.deepEqual([payload.id, payload.data.order], [eventId, 'A1']);
    assert.equal((await untilUriInFront(uri)).languageId, 'json');
    assert.deepEqual(await call('portalEvent.copyPayload', { eventId }), parseJson(await textOf(uri)));
  });

  it('leads to the execution that it is about', async () => {
    const eventId = await newest('execution.completed');
    const uri = await run(v.string(), 'portalEvent.showExecution', { eventId });
    assert.match(uri, /^workflow-execution:/);
    await untilUriInFront(uri);
    const created = { eventId: await newest('workflow.created') };
    await assert.rejects(run(v.string(), 'portalEvent.showExecution', created), /belong to an execution/);
  });

  it('puts its data into the input of a workflow', async () => {
    const eventId = await newest('portal.order.received');
    const uri = await run(v.string(), 'portalEvent.executeWith', { eventId, workflowId });
    assert.match(uri, /^workflow-input:/);
    const Input = v.looseObject({ order: v.string() });
    assert.equal(v.parse(Input, parseJson(await textOf(uri))).order, 'A1');
    await call('portalEvents.refresh');
  });

  it('filters by type and by workflow, says so, and clears the filter', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    const all = await until(rows, (shown) => shown.length > 3);
    await call('portalEvents.filter', { type: 'portal.order.received' });
    const filtered = await until(rows, (shown) => shown.length === 2);
    assert.equal(filtered[1]?.label, 'portal.order.received');
    await until(message, (text) => text === 'Showing portal.order.received only');
    await page.screenshot('portal-events-filtered');
    await call('portalEvents.filter', { type: 'no.such.type' });
    await page.waitFor(`${viewSelector(view)} .welcome-view-content:has-text("Clear Filter")`);
    await call('portalEvents.filter', { workflowId });
    await until(rows, (shown) => shown.length > 2);
    await call('portalEvents.clearFilter');
    await until(message, (text) => text === '');
    // How many rows are drawn depends on the room; which ones come first does not.
    const labels = (shown: readonly Row[]) => shown.slice(0, 3).map(({ label }) => label);
    await until(rows, (shown) => labels(shown).join() === labels(all).join());
  });

  it('counts what came while nobody looked, until somebody does', async function () {
    requirePage(this);
    await setListening('always');
    await vscode.commands.executeCommand('workbench.view.explorer');
    await until(badge, (count) => count === '');
    await execute(workflowId, { order: 'B2' });
    await until(badge, (count) => Number(count) > 3);
    await page.screenshot('portal-events-badge');
    await call('portalEvents.markAllRead');
    await until(badge, (count) => count === '');
    await execute(workflowId, { order: 'C3' });
    await until(badge, (count) => Number(count) > 0);
    await vscode.commands.executeCommand(`${view}.focus`);
    await until(badge, (count) => count === '');
    await setListening(undefined);
  });

  it('sends to the local service only, and what was sent arrives', async function () {
    requirePage(this);
    const event = { type: 'order.received', data: { order: 'D4' } };
    await assert.rejects(run(Sent, 'portalEvents.send', event), /local service/);
    await startLocalService();
    await vscode.commands.executeCommand(`${view}.focus`);
    const { eventIds } = await run(Sent, 'portalEvents.send', event);
    assert.equal(eventIds.length, 1);
    // The events of the other service, which name their workflow, are gone from sight.
    await until(
      rows,
      ([first]) =>
        first?.label === 'portal.order.received' && /^(just now|\d+ min ago)$/.test(first.description),
    );
    await page.screenshot('portal-events-sent');
  });
});
