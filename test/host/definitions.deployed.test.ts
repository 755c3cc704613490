// Executions take what is deployed, not what its author sees; the row says so, a comparison shows it, a deployment ends it.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Running, serve } from '../support/servers.ts';
import { clickInRow, hoverUntil } from './clicks.ts';
import { connect, disconnect, findWorkflow, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { readMenu, runInPalette, runOnRow, take, untilRow } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { pressLens } from './lenses.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const Compared = v.object({ workflowId: v.string(), isDifferent: v.boolean() });
const compareTitle = 'Compare with Deployed';

const rowOf = (name: string): string => `${viewSelector(view)} .monaco-list-row:has-text("${name}")`;
const describeRow = async (name: string) =>
  (await page.rows(view)).find(({ label }) => label === name)?.description;
const untilRowSays = (name: string, isEdited: boolean) =>
  until(
    () => describeRow(name),
    (words) => words?.startsWith('edited') === isEdited,
  );
const offersDeploy = (text: string): boolean => /\bDeploy\b/.test(text);
const lenses = async () => (await page.texts('.codelens-decoration')).join(' | ').replaceAll('\u00a0', ' ');
const compare = (workflowId: string) => run(Compared, 'workflow.compareWithDeployed', { workflowId });

/** The two sides of the comparison that is in front. */
async function shownSides(): Promise<readonly [vscode.TextDocument, vscode.TextDocument]> {
  const input = await until(
    () => vscode.window.tabGroups.activeTabGroup.activeTab?.input,
    (tab) => tab instanceof vscode.TabInputTextDiff,
  );
  assert.ok(input instanceof vscode.TabInputTextDiff);
  return [
    await vscode.workspace.openTextDocument(input.original),
    await vscode.workspace.openTextDocument(input.modified),
  ];
}

/** The lines of one text that stand nowhere in the other. */
function linesMissing(text: vscode.TextDocument, other: vscode.TextDocument): readonly string[] {
  const known = new Set(other.getText().split('\n'));
  return text
    .getText()
    .split('\n')
    .filter((line) => !known.has(line))
    .map((line) => line.trim());
}

describe('a draft and what is deployed', () => {
  const name = 'Order totals';
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    connectionId = await connect('Deployed', service);
    workflowId = (await findWorkflow(name)).id;
    await vscode.commands.executeCommand(`${view}.focus`);
    const uri = await run(v.string(), 'workflow.open', { workflowId });
    document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  const deployElsewhere = async () => {
    const response = await fetch(`${service.baseUrl}/workflows/${workflowId}/deploy`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}` },
    });
    assert.equal(response.status, 200);
  };

  it('are one after a deployment, which is a click away above the text', async () => {
    await until(lenses, (text) => offersDeploy(text) && text.includes('Not deployed'));
    await pressLens(document, '$(rocket) Deploy');
    await until(
      () => describeRow(name),
      (words) => words?.includes('not deployed') === false,
    );
    await until(lenses, (text) => !offersDeploy(text) && text.includes('Deployed · just now'));
    assert.deepEqual(await compare(workflowId), { workflowId, isDifferent: false });
    assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputText);
  });

  it('differ once an edit is saved: the row and the line above the text say so', async () => {
    await replaceOnce(document, '"milliseconds": 1800', '"milliseconds": 900');
    assert.ok(await document.save());
    await untilRowSays(name, true);
    await untilRow(view, name, ({ accessibleName }) => accessibleName.includes('edited since deployed'));
    await until(lenses, (text) => text.includes('Edited since deployed') && offersDeploy(text));
    await hoverUntil(rowOf(name), `${rowOf(name)} .action-label[aria-label^="Deploy"]`);
    await page.screenshot('deployed-row');
  });

  it('are shown side by side from the row, and differ in nothing else', async () => {
    await runOnRow(view, name, compareTitle);
    const [left, right] = await shownSides();
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, `${name}: deployed ↔ draft`);
    assert.equal(right.uri.toString(), document.uri.toString());
    assert.equal(left.uri.scheme, 'workflow-deployed');
    assert.deepEqual(
      [linesMissing(left, right), linesMissing(right, left)],
      [['"milliseconds": 1800'], ['"milliseconds": 900']],
    );
    await page.waitFor('.monaco-diff-editor .line-delete');
    await page.screenshot('deployed-diff');
  });

  it('are chosen in the palette among those that differ alone', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runInPalette(`Workflows: ${compareTitle}`);
    const choices = await until(page.quickPick, (all) => all.includes(name));
    assert.ok(!choices.includes('Signup check'));
    await take(name);
    await shownSides();
  });

  it('are one again with a deployment, at once, also in the comparison that is open', async () => {
    const [left, right] = await shownSides();
    await clickInRow(
      rowOf(name),
      '.action-label[aria-label^="Deploy"]',
      async () => (await describeRow(name))?.startsWith('edited') === false,
    );
    await until(
      () => left.getText(),
      (text) => text === right.getText(),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('keep the writing of the draft, and are compared with what is not saved yet as well', async () => {
    document = await vscode.workspace.openTextDocument(document.uri);
    await vscode.window.showTextDocument(document);
    await replaceOnce(document, '"edges": [', '"edges":   [ ');
    await replaceOnce(document, '"milliseconds": 900', '"milliseconds": 100');
    assert.ok(await document.save());
    await replaceOnce(document, '"milliseconds": 100', '"milliseconds": 50');
    assert.deepEqual(await compare(workflowId), { workflowId, isDifferent: true });
    const [left, right] = await shownSides();
    assert.deepEqual(linesMissing(left, right), ['"milliseconds": 900']);
    assert.deepEqual(linesMissing(right, left), ['"milliseconds": 50']);
  });

  it('take a deployment made elsewhere for no conflict with unsaved edits', async () => {
    await deployElsewhere();
    assert.ok(document.isDirty);
    assert.ok(await document.save());
    await untilRowSays(name, true);
    const exported = await run(v.record(v.string(), v.unknown()), 'workflow.export', { workflowId });
    assert.deepEqual(Object.keys(exported), ['name', 'description', 'nodes', 'edges', 'settings']);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('cannot be compared where nothing is deployed', async () => {
    const { id } = await findWorkflow('Signup check');
    await assert.rejects(compare(id), /"Signup check" isn't deployed/);
  });
});

describe('a service that tells less', () => {
  const draft = { nodes: [{ id: 'a' }], edges: [] };
  const workflows: readonly { readonly id: number; readonly [member: string]: unknown }[] = [
    { id: 1, title: 'Says nothing', active: true },
    { id: 2, title: 'Says that it differs', active: true, needsRedeployment: true },
  ];
  const answer: RequestListener = ({ method, url }, response) => {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const path = url?.replace(/\?.*/, '') ?? '';
    const workflow = workflows.find(({ id }) => path === `/v1/workflows/${id}`);
    if (method === 'GET' && path === '/v1/workflows') json(200, workflows);
    else if (method === 'GET' && workflow) json(200, { ...workflow, ...draft });
    else json(404, { detail: 'Not Found' });
  };
  let running: Running;
  let connectionId: string;
  before(async function () {
    requirePage(this);
    running = await serve(answer);
    const baseUrl = `http://127.0.0.1:${running.port}/v1`;
    const apiKey = ['svc', 'sk', 'd'.repeat(20)].join('_');
    connectionId = await connect('Less', { baseUrl, key: apiKey });
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  after(async () => {
    await disconnect(connectionId);
    await running.close();
  });

  it('shows what it tells, and says what it does not tell', async () => {
    await untilRowSays('Says that it differs', true);
    await untilRowSays('Says nothing', false);
    await runOnRow(view, 'Says that it differs', compareTitle);
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes('report the deployed version')),
    );
    await vscode.commands.executeCommand('notifications.clearAll');
    await assert.rejects(compare('1'), /report the deployed version/);
  });

  it('offers nothing to compare where it tells nothing', async () => {
    const offered = await readMenu(view, 'Says nothing');
    assert.ok(offered.includes('Undeploy Workflow') && !offered.includes(compareTitle), offered.join());
  });
});
