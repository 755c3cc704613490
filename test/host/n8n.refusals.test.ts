// What an n8n refuses, where a person meets it: in the views, in a message, in the definition.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { recordedKey, type RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { clickUntil } from './clicks.ts';
import { listWorkflows, run } from './commands.ts';
import { choose, isAsking, runOnRow, untilNoRow, untilRow, write } from './keyboard.ts';
import { answerNotification, untilNotified } from './notifications.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const nodes = [
  { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } },
  { id: 'n2', name: 'Say', type: 'x.say', parameters: {} },
];

describe('what an n8n refuses', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let workflowId: string;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    ({ n8n } = own);
    workflowId = n8n.addWorkflow({ name: 'Orders', nodes, connections: {}, settings: {} }).id;
    await own.connect();
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Orders');
  });
  after(() => own.stop());

  /** Its next deployments. */
  const refuse = (status: number, message: string) => {
    n8n.instead = (call) => (call.endsWith('/activate') ? { status, body: { message } } : undefined);
  };

  it('is refused alone and in words where the key has no right to it', async () => {
    refuse(403, 'Forbidden');
    await runOnRow(view, 'Orders', 'Deploy Workflow');
    await untilNotified("The API key doesn't allow this. The service says: Forbidden");
    await page.screenshot('n8n-forbidden');
    await vscode.commands.executeCommand('notifications.clearAll');
    await run(v.unknown(), 'workflow.rename', { workflowId, name: 'Orders of today' });
    await untilRow(view, 'Orders of today', ({ description }) => description === 'not deployed');
    n8n.instead = () => undefined;
  });

  for (const [sentence, line] of [
    ['Unrecognized node type: x.say', '"type": "x.say"'],
    ['Node "Say" has invalid parameters: Text is required', '"name": "Say"'],
    ['Workflow cannot be activated because it has no trigger node.', '"name": "Orders of today"'],
  ] as const)
    it(`is a Problem with n8n's sentence, at the node where it names one: ${sentence}`, async () => {
      const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
      refuse(400, sentence);
      await assert.rejects(async () => run(v.unknown(), 'workflow.deploy', { workflowId }));
      const [problem] = await until(
        () => vscode.languages.getDiagnostics(uri),
        (all) => all.length === 1 && all[0]?.message.endsWith(sentence) === true,
      );
      assert.ok(problem);
      const document = await vscode.workspace.openTextDocument(uri);
      assert.equal(document.lineAt(problem.range.start).text.trim().replace(/,$/, ''), line);
      await page.screenshot(`n8n-deploy-refused-${sentence.slice(0, 4)}`);
      n8n.instead = () => undefined;
    });

  it('is offered at new addresses where another workflow is in the way, to a person', async () => {
    const free = { ...nodes[0], id: 'n3', name: 'Free', parameters: { path: 'free' } };
    n8n.activate(n8n.addWorkflow({ name: 'First', nodes, connections: {}, settings: {} }));
    const second = n8n.addWorkflow({
      name: 'Second',
      nodes: [...nodes, free],
      connections: {},
      settings: {},
    });
    await assert.rejects(
      async () => run(v.unknown(), 'workflow.deploy', { workflowId: second.id, isElsewhere: true }),
      /conflict with one of the webhooks/,
    );
    assert.equal(second.activeVersionId, null);
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId: second.id }), true);
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await untilRow(view, 'Second');
    await runOnRow(view, 'Second', 'Deploy Workflow');
    const conflict = 'Can\'t deploy "Second": There is a conflict with one of the webhooks.';
    await untilNotified(conflict);
    await page.screenshot('n8n-address-taken');
    await answerNotification(conflict, 'Deploy with New Addresses');
    await untilRow(view, 'Second', ({ accessibleName }) => accessibleName.startsWith('Second, deployed'));
    const [moved, , kept] = second.nodes;
    const { path } = v.parse(v.object({ path: v.string() }), moved?.['parameters']);
    assert.notEqual(path, 'in');
    assert.deepEqual([kept, second.activeContent['nodes']], [free, second.nodes]);
    await untilNotified(
      `Deployed with new addresses, which are saved in the definition: "Input": /webhook/${path}`,
    );
    await page.screenshot('n8n-new-addresses');
    const document = await vscode.workspace.openTextDocument(uri);
    await until(
      () => document.getText(),
      (text) => text.includes(path),
    );
    await until(
      () => document.isDirty,
      (isDirty) => !isDirty,
    );
    await vscode.commands.executeCommand('notifications.clearAll');
    for (const { id } of [...n8n.workflows.values()]) if (id !== workflowId) n8n.workflows.delete(id);
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await untilNoRow(view, 'Second');
  });

  it('is told by the view where the key was revoked, which leads to another key', async () => {
    n8n.keys.delete(recordedKey);
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    const welcome = `${viewSelector(view)} .welcome-view-content`;
    await page.waitFor(`${welcome}:has-text("was revoked, has expired")`);
    await vscode.commands.executeCommand('notifications.clearAll');
    await page.screenshot('n8n-key-revoked');
    const key = `${recordedKey}-new`;
    n8n.keys.add(key);
    await clickUntil(`${viewSelector(view)} .monaco-button:has-text("Replace API Key…")`, isAsking);
    await write('API key', key);
    await choose('When does this key expire?', 'Never');
    await untilRow(view, 'Orders of today');
    assert.equal((await listWorkflows()).length, 1);
  });
});
