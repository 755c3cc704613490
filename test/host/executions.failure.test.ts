// From an execution that failed to the line of the definition that failed, in two clicks at most, in a real VS Code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, parseJson } from '../../src/base/json.ts';
import { clickInRow, clickUntil } from './clicks.ts';
import { connect, disconnect, execute, findWorkflow, listExecutions, run } from './commands.ts';
import { choose, escape, readChoices, readMenu, runOnRow, untilRow } from './keyboard.ts';
import { clickLens, lensLink } from './lenses.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { skip } from './skip.ts';
import { until } from './until.ts';

const good = { name: 'Ada', email: 'ada@example.com', age: 36 };
const bad = { ...good, email: 'ada.example.com' };
const view = 'workflowAutomation.executions';
const buttons = '.notifications-center .monaco-button';
const item = '.statusbar-item:has-text("Signup check failed")';

const reveal = (isRevealed: boolean | undefined) =>
  vscode.workspace
    .getConfiguration('workflowAutomation')
    .update('logs.revealOnExecute', isRevealed, vscode.ConfigurationTarget.Global);

/** What is selected in the definition in front. */
function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.scheme === 'workflow-definition'
    ? editor.document.getText(editor.selection)
    : '';
}

/** True while the definition is in front with the name of the node that fails selected. */
const isSelected = (): boolean => selectedText() === '"Refuse"';

async function untilSelected(): Promise<void> {
  await until(selectedText, isSelected);
}

const openDocument = async (
  command: 'execution.openLog' | 'nodeRun.open',
  argument: object,
): Promise<vscode.TextDocument> =>
  vscode.workspace.openTextDocument(vscode.Uri.parse(await run(v.string(), command, argument), true));

describe('a failed execution', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let executionId: string;

  const fail = async (): Promise<string> =>
    (await execute(workflowId, bad)).executionId ?? assert.fail('No execution is known.');

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Failures', service);
    workflowId = (await findWorkflow('Signup check')).id;
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await reveal(false);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await reveal(undefined);
    await disconnect(connectionId);
    await service.stop();
  });

  it('is told with an error, whose first button opens the failed node in the definition', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('notifications.clearAll');
    executionId = await fail();
    // Another file's last message may still be on its way.
    await until(
      () => page.notifications(),
      ([newest = '']) => /^"Signup check" failed: .*is not a valid email address/.test(newest),
    );
    await page.waitFor('.notifications-center .codicon-error');
    await until(
      () => page.texts(buttons),
      (titles) => titles.join() === 'Open Failed Node,Retry,Debug,Edit Input and Execute,Create Test',
    );
    await page.screenshot('failure-notification');
    await clickUntil(`${buttons}:has-text("Open Failed Node")`, isSelected);
    await page.screenshot('failure-in-definition');
  });

  it('leads from its row to the definition with one entry of its menu, and with one button of the node', async function () {
    requirePage(this);
    await untilRow(view, 'Signup check', ({ accessibleName }) => accessibleName.includes('failed'));
    const entries = await readMenu(view, 'Signup check');
    assert.ok(entries.includes('Compare with Last Success'), entries.join());
    await runOnRow(view, 'Signup check', 'Open Failed Node');
    await untilSelected();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(`${view}.focus`);
    const row = `${viewSelector(view)} .monaco-list-row`;
    const refused = `${row}:has-text("Refuse")`;
    await clickUntil(`${row}[aria-expanded="false"]:has-text("Signup check") .monaco-tl-twistie`, () =>
      page.isThere(refused),
    );
    await clickInRow(refused, '.action-label[aria-label^="Reveal Node in Definition"]', isSelected);
  });

  it('tells the line, the reason and the data in two clicks from its row', async function () {
    requirePage(this);
    await untilRow(view, 'Signup check', ({ accessibleName }) => accessibleName.includes('failed'));
    const row = `${viewSelector(view)} .monaco-list-row:has-text("Signup check")`;
    await clickInRow(row, '.action-label[aria-label^="Open Failed Node"]', isSelected);
    const [line] = await until(
      async () => (await page.lines()).filter((text) => text.includes('"name": "Refuse"')),
      ([text = '']) => text.includes('failed'),
    );
    assert.match(line ?? '', /✗ failed .*is not a valid email address/);
    await page.screenshot('two-clicks-line');
    const run = () => vscode.window.activeTextEditor?.document.getText() ?? '';
    const nearest = `${lensLink('Node Run')}:visible:above(.view-line:has-text('"name": "Refuse"'))`;
    await clickLens(nearest, () => run().includes('"nodeId": "refuse"'));
    assert.match(run(), /"message": .*is not a valid email address[\s\S]*"input": \{[\s\S]*"logs": \[/);
    await page.screenshot('two-clicks-data');
  });

  it('says why at the top of the node run, which leads to the definition', async function () {
    requirePage(this);
    const document = await openDocument('nodeRun.open', { executionId, nodeId: 'refuse' });
    const text = parseJson(document.getText());
    assert.ok(isJsonObject(text));
    assert.deepEqual(Object.keys(text).slice(0, 3), ['status', 'error', 'nodeName']);
    await page.waitFor('.codelens-decoration :text("is not a valid email address")');
    await page.screenshot('failed-node-run');
    await clickLens(
      lensLink('Reveal Node in Definition'),
      () => vscode.window.activeTextEditor?.document.uri.scheme === 'workflow-definition',
    );
    await untilSelected();
  });

  it('leads from a line of its log to the node run and to the definition', async () => {
    const document = await openDocument('execution.openLog', { executionId });
    await until(
      () => document.getText(),
      (text) => text.includes('[error] failed in '),
    );
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('[error] Refuse: '));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
      100,
    );
    const link = links.find(({ range }) => range.start.line === line);
    assert.equal(link && document.getText(link.range), 'Refuse');
    assert.equal(link?.target?.scheme, 'workflow-execution');
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(line, 0, line, 0);
    await vscode.commands.executeCommand('workflowAutomation.nodeRun.revealInDefinition');
    await untilSelected();
  });

  it('is compared with the last success of its workflow', async function () {
    requirePage(this);
    const { executionId: success } = await execute(workflowId, good);
    assert.ok(success);
    await until(
      () => run(v.array(v.object({ id: v.string(), status: v.string() })), 'execution.list', { workflowId }),
      (all) => all.some(({ id, status }) => id === success && status === 'completed'),
    );
    const uris = await run(v.array(v.string()), 'execution.compareWithLastSuccess', { executionId });
    assert.ok(uris[0]?.includes(success) && uris[1]?.includes(executionId), uris.join());
    await page.waitFor(
      `.tab.active:has-text("Signup check ${success.slice(-6)} ↔ ${executionId.slice(-6)}")`,
    );
    await page.waitFor('.view-line:has-text("First difference")');
    await page.screenshot('compared-with-success');
  });

  it('is compared with executions of its own workflow before those of others, though these are newer', async function () {
    requirePage(this);
    const { id } = await findWorkflow('Order totals');
    await run(v.unknown(), 'workflow.deploy', { workflowId: id });
    await execute(id, { lines: [{ product: 'Tea', quantity: 2, price: 1.5 }], taxPercent: 7 });
    void vscode.commands.executeCommand('workflowAutomation.execution.compare', {
      connectionId,
      executionId,
      invokedBy: 'person',
    });
    const question = 'Select an execution to compare with';
    await until(
      async () => (await readChoices(question)).filter((label) => label.includes(' ')),
      (offered) =>
        offered[0]?.includes('Signup check') === true && offered.at(-1)?.includes('Order totals') === true,
    );
    await until(
      () => page.texts('.quick-input-widget .quick-input-list-separator'),
      (headings) => headings.filter((text) => text !== '').join() === 'same workflow,other workflows',
    );
    await page.screenshot('compare-choices');
    await escape(question);
  });

  it('is told in the status bar while its log is in sight, where a notification would cover it', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('notifications.clearAll');
    await reveal(true);
    await fail();
    await page.waitFor(item);
    assert.deepEqual(await page.notifications(), []);
    await vscode.commands.executeCommand('notifications.hideList');
    await page.screenshot('failure-in-status-bar');
    await clickUntil(`${item} a`, isSelected);
    await page.waitUntilGone(item);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const failedId = await fail();
    await page.waitFor(item);
    await run(v.string(), 'execution.openLog', { connectionId, executionId: failedId });
    await page.waitUntilGone(item);
    await fail();
    await page.waitFor(item);
    await reveal(false);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await execute(workflowId, good);
    await page.waitUntilGone(item);
  });

  it('is about a workflow whose request or ID is copied from its row', async function () {
    requirePage(this);
    const workflows = 'workflowAutomation.workflows';
    await vscode.commands.executeCommand(`${workflows}.focus`);
    for (const [form, copied] of [
      ['Workflow ID', /^wf_[0-9a-f]+$/],
      ['Python', /^import /],
    ] as const) {
      await runOnRow(workflows, 'Signup check', 'Copy Workflow as…');
      const question = 'Select what to copy';
      assert.equal((await readChoices(question)).length, 4);
      await page.screenshot('copy-as');
      await choose(question, form);
      const text = await until(
        () => vscode.env.clipboard.readText(),
        (clipboard) => copied.test(clipboard),
      );
      assert.ok(text.includes(workflowId) && !text.includes(service.key));
    }
  });

  it('is brought about by code that was copied as well', async function () {
    assert.equal(await run(v.string(), 'workflow.copyAs', { workflowId, as: 'id' }), workflowId);
    const code = await run(v.string(), 'workflow.copyAs', { workflowId, as: 'curl', input: bad });
    assert.ok(!code.includes(service.key) && code.includes('$WORKFLOW_API_KEY'), code);
    if (['sh', 'curl'].some((program) => spawnSync(program, ['--version']).error !== undefined))
      skip(this, 'there is no curl');
    const before = (await listExecutions({ workflowId })).length;
    const { stdout } = spawnSync('sh', ['-c', code], {
      encoding: 'utf8',
      env: { ...process.env, WORKFLOW_API_KEY: service.key },
    });
    assert.match(stdout, /"status":"triggered"/);
    assert.equal((await listExecutions({ workflowId })).length, before + 1);
  });
});
