// The main job, end to end, as a newcomer does it: from the empty view to the output of an execution.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { execute, findWorkflow, listExecutions, listWorkflows, run, startLocalService } from './commands.ts';
import { replaceOnce, replaceText } from './edits.ts';
import { openInput } from './inputDocuments.ts';
import { foldAll, closePrompt, runInPalette, take, untilNoRow, untilRow } from './keyboard.ts';
import { clickLens, lensLink } from './lenses.ts';
import { page, requirePage, type Row, viewSelector } from './page.ts';
import { soon } from './soon.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const sampleNames = ['Order totals', 'Signup check', 'Support triage'];

const rows = () => page.rows(view);
const rowNamed = async (label: string) => (await rows()).find((row) => row.label === label);

async function readDocument(uri: string): Promise<string> {
  return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true))).getText();
}

/** The lines of the channel that are on screen. */
const logLines = async () =>
  (await page.texts('.part.panel .view-line')).map((line) => line.replaceAll('\u00a0', ' '));

const question = '.quick-input-widget';
const deployAndExecute = `${question} .monaco-list-row:has-text("Deploy and Execute")`;
const isAskedToDeploy = (): Promise<boolean> => page.isThere(deployAndExecute);

describe('the first minute', () => {
  it('starts with one button, which starts the local service with three samples', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    const button = `${viewSelector(view)} .welcome-view-content .monaco-button:has-text("Try the Local Service")`;
    await page.waitFor(button);
    await page.screenshot('welcome');
    const shown = await soon('From the button to the samples', async () => {
      await page.click(button);
      return until(rows, (all) => all.length === 3);
    });
    assert.deepEqual(shown.map(({ label }) => label).sort(), sampleNames);
    assert.ok(shown.every(({ accessibleName }) => accessibleName.includes('not deployed')));
    await page.screenshot('samples');
  });

  it('is the same when it is asked for from code', async () => {
    const { baseUrl } = await startLocalService();
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.deepEqual((await listWorkflows()).map(({ name }) => name).sort(), sampleNames);
  });

  it('opens the input with an example, and shows what is not JSON without sending it', async function () {
    requirePage(this);
    const { id } = await findWorkflow('Order totals');
    const document = await openInput(id);
    assert.equal(document.languageId, 'json');
    assert.ok(
      Object.keys(v.parse(v.record(v.string(), v.unknown()), parseJson(document.getText()))).length > 0,
    );
    const example = document.getText();
    // Where the text changes before the editor has drawn the first lenses, it can keep what it drew from memory, which is no link.
    await page.waitFor(lensLink('Execute'));
    await replaceText(document, '{ "items": [');
    await clickLens(lensLink('Execute'), async () =>
      (await page.notifications()).some((text) => text.includes('Not sent')),
    );
    await page.screenshot('invalid-input');
    await until(
      () => vscode.languages.getDiagnostics(document.uri),
      (problems) => problems.length === 1,
    );
    assert.deepEqual(await listExecutions({ workflowId: id }), []);
    await replaceText(document, example);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('offers "Deploy and Execute" for a workflow that is not deployed; Escape runs nothing', async function () {
    requirePage(this);
    const { id } = await findWorkflow('Order totals');
    await openInput(id);
    await clickLens(lensLink('Execute'), isAskedToDeploy);
    await page.screenshot('deploy-and-execute');
    await closePrompt();
    assert.deepEqual(await listExecutions({ workflowId: id }), []);
    assert.equal((await findWorkflow('Order totals')).isDeployed, false);
  });

  it('executes, turns the node runs one by one, streams the log and opens the output', async function () {
    requirePage(this);
    const { id } = await findWorkflow('Order totals');
    const document = await openInput(id);
    const products = ['Notebook', 'Pen', 'Backpack'];
    const input = {
      lines: products.map((product, index) => ({ product, quantity: index + 1, price: 1.1 })),
      taxPercent: 7,
    };
    await replaceText(document, JSON.stringify(input, null, 2));
    await clickLens(lensLink('Execute'), isAskedToDeploy);
    const isRun = ({ level }: Row): boolean => level === 2;
    await soon('From Deploy and Execute to the first node run', async () => {
      await take('Deploy and Execute');
      await until(rows, (all) => all.some(isRun) && all.some(({ level }) => level === 3));
    });
    await page.screenshot('running');
    const isDone = ({ level, accessibleName }: Row): boolean =>
      level === 1 || accessibleName.includes(', completed');
    await until(rows, (all) => all.some(isRun) && all.every(isDone));
    await page.screenshot('completed');

    const [execution] = await listExecutions({ workflowId: id });
    assert.ok(execution);
    const outputUri = await run(v.string(), 'execution.openOutput', { executionId: execution.id });
    const output = parseJson(await readDocument(outputUri));
    assert.deepEqual(output, expectedTotals(input));
    const inputUri = await run(v.string(), 'execution.openInput', { executionId: execution.id });
    assert.deepEqual(parseJson(await readDocument(inputUri)), input);
    await page.screenshot('output');
  });

  it('executes a definition that was saved with edits with one key, which also deploys them', async function () {
    requirePage(this);
    const { id } = await findWorkflow('Order totals');
    const completed = ({ level, accessibleName }: Row): boolean =>
      level === 2 && accessibleName.includes(', completed');
    await foldAll(view);
    const definition = await soon('Opening the definition', async () => {
      const uri = await run(v.string(), 'workflow.open', { workflowId: id });
      return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    });
    await vscode.window.showTextDocument(definition, { preview: false });
    await replaceOnce(definition, '"maxItems": 100', '"maxItems": 90');
    assert.ok(await definition.save());
    await untilRow(view, 'Order totals', ({ accessibleName }) => accessibleName.includes('edited'));
    await page.waitFor('.editor-instance .monaco-editor.focused');
    await page.press('Control+Enter');
    // The new one comes unfolded below the workflow, before the first.
    await until(rows, (all) => all.filter(completed).length === 2);
    await untilRow(view, 'Order totals', ({ accessibleName }) => !accessibleName.includes('edited'));
  });

  it('streams the log lines into the channel while the workflow runs', async function () {
    requirePage(this);
    const { workflowId } = await run(Imported, 'workflow.import', { definition: slowDefinition });
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
    await soon('From Execute to the first line', async () => {
      await execute(workflowId, { name: 'Ada' });
      await until(logLines, (lines) => lines.some((line) => line.includes('> Greet: Hello Ada')));
    });
    await until(rows, (all) => all.some(({ description }) => description.startsWith('waiting')));
    await vscode.commands.executeCommand('workflowAutomation.workflow.delete', { workflowId });
    await untilNoRow(view, slowDefinition.name);
  });

  it('shows why a run failed: the node, its reason, in the tree and in the log', async function () {
    requirePage(this);
    await foldAll(view);
    const { id } = await findWorkflow('Signup check');
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId: id });
    const { executionId } = await execute(id, { email: 'nobody' });
    assert.ok(executionId);
    await until(
      rows,
      (all) =>
        all.some((row) => row.level === 3 && row.accessibleName.includes('failed')) &&
        all.some((row) => row.level === 2 && row.icon.includes('error')),
    );
    await page.screenshot('failed');
  });

  it('works from the keyboard alone: palette, choice, execution', async function () {
    requirePage(this);
    await foldAll(view);
    const { id } = await findWorkflow('Support triage');
    await vscode.commands.executeCommand('notifications.clearAll');
    // With a document in front, it would be deployed.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runInPalette('Workflows: Deploy Workflow');
    await take('Support triage');
    await until(
      () => rowNamed('Support triage'),
      (row) => row?.accessibleName.startsWith('Support triage, deployed') === true,
    );
    const { status, eventIds } = await execute(id, {
      subject: 'Refund',
      message: 'I want my money back',
      customer: 'ada@example.com',
    });
    assert.equal(status, 'triggered');
    assert.equal(eventIds.length, 1);
  });
});

const Imported = v.object({ workflowId: v.string() });

/** Says something, then takes its time. */
const slowDefinition = {
  name: 'Slow greeting',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'log', config: { message: 'Hello {{ input.name }}' } },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 30_000 } },
  ],
  edges: [
    { source: 'start', target: 'greet' },
    { source: 'greet', target: 'rest' },
  ],
};

const Order = v.object({
  lines: v.array(v.object({ product: v.string(), quantity: v.number(), price: v.number() })),
  taxPercent: v.number(),
});

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** What the sample's definition computes, computed another way. */
function expectedTotals(input: unknown): unknown {
  const order = v.parse(Order, input);
  const lines = order.lines.map(({ product, quantity, price }) => ({
    product,
    total: cents(quantity * price),
  }));
  const subtotal = cents(lines.reduce((sum, { total }) => sum + total, 0));
  const tax = cents((subtotal * order.taxPercent) / 100);
  return { lines, subtotal, tax, total: cents(subtotal + tax) };
}
