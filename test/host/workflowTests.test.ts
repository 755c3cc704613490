// Tests of workflows in the editor's own view: what passes, what fails with its difference, and what can't run, each with its words.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { viewIds } from '../../src/editor/ids.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { completionsAt } from './completions.ts';
import { runOnRow, untilRow } from './keyboard.ts';
import { clickLens, lensAbove } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { readText, workspaceFile, writeText } from './presetFiles.ts';
import { soon } from './soon.ts';
import { actUntil, until } from './until.ts';

const executions = viewIds.executions;

const definition = {
  name: 'Orders',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'price', name: 'Price', type: 'httpRequest', config: { url: 'http://prices.test/{{ input.id }}' } },
    {
      id: 'isLarge',
      name: 'Is large',
      type: 'condition',
      config: { expression: 'nodes.price.body.price > 100' },
    },
    {
      id: 'large',
      name: 'Large',
      type: 'output',
      config: { expression: '{ "size": "large", "id": input.id }' },
    },
    {
      id: 'small',
      name: 'Small',
      type: 'output',
      config: { expression: '{ "size": "small", "id": input.id }' },
    },
    { id: 'sorry', name: 'Sorry', type: 'fail', config: { message: 'No price.' } },
  ],
  edges: [
    { source: 'start', target: 'price' },
    { source: 'price', target: 'isLarge' },
    { source: 'price', target: 'sorry', branch: 'error' },
    { source: 'isLarge', target: 'large', branch: 'true' },
    { source: 'isLarge', target: 'small', branch: 'false' },
  ],
};

const priced = (price: number) => ({ price: [{ status: 200, body: { price } }] });

const tests = {
  workflow: 'Orders',
  tests: [
    {
      name: 'a large order',
      input: { id: 7 },
      answers: priced(200),
      expected: { status: 'completed', output: { size: 'large', id: 7 } },
    },
    {
      name: 'a wrong size',
      input: { id: 7 },
      answers: priced(200),
      expected: { status: 'completed', output: { size: 'small', id: 7 } },
    },
    {
      name: 'without a price',
      input: { id: 7 },
      answers: { price: [{ error: 'timeout' }] },
      expected: { status: 'failed', error: 'No price.' },
    },
    {
      name: 'pinned',
      pinned: { price: { body: { price: 1 } } },
      match: 'partial',
      expected: { status: 'completed', output: { size: 'small' } },
    },
    { name: 'no matcher', expected: { status: 'completed', output: { $match: '(' } } },
    { name: 'gone', pinned: { gone: 1 }, expected: { status: 'completed' } },
  ],
};

const Outcomes = v.array(
  v.looseObject({ uri: v.string(), name: v.string(), outcome: v.string(), message: v.optional(v.string()) }),
);
const runTests = (argument: object = {}) => run(Outcomes, 'test.run', argument);

describe('tests of workflows', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let file: vscode.Uri;

  before(async () => {
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Tests', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    file = workspaceFile('orders.workflow-test.json');
    await writeText(file, JSON.stringify(tests, null, 2));
    await vscode.commands.executeCommand('testing.refreshTests');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    await vscode.workspace.fs.delete(file);
  });

  it('say what passes, what differs, and what is wrong, to code', async () => {
    const outcomes = await runTests({});
    assert.deepEqual(
      Object.fromEntries(outcomes.map(({ name, outcome, message }) => [name, message ?? outcome])),
      {
        'a large order': 'passed',
        'a wrong size': 'output.size: "small" is expected, but "large" came.',
        'without a price': 'passed',
        pinned: 'passed',
        'no matcher': '"$match" isn\'t a valid regular expression.',
        gone: 'The workflow has no node "gone".',
      },
    );
    const failed = outcomes.find(({ outcome }) => outcome === 'failed');
    assert.deepEqual(failed?.['expected'], { status: 'completed', output: { size: 'small', id: 7 } });
    assert.deepEqual(failed['actual'], { status: 'completed', output: { size: 'large', id: 7 } });
  });

  it('stand in the Testing view, with the difference at its place', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await page.waitFor('.test-explorer .monaco-list-row:has-text("orders")');
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('testing.runAll');
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await actUntil(
      async () => {
        await page.click('.test-explorer .monaco-list-row:has-text("orders")');
        await page.press('ArrowRight');
      },
      () => page.isThere('.test-explorer .monaco-list-row:has-text("a wrong size")'),
    );
    await page.screenshot('workflow-tests-view');
    await vscode.commands.executeCommand('testing.goToNextMessage');
    await page.screenshot('workflow-tests-difference');
  });

  it('cover nodes and branches in the definition', async function () {
    requirePage(this);
    await run(v.unknown(), 'workflow.open', { workflowId });
    await vscode.commands.executeCommand('testing.coverageAll');
    await until(
      () =>
        page.texts(
          '.coverage-deco-gutter, .test-coverage-list .monaco-list-row, .coverage-view .monaco-list-row',
        ),
      (rows) => rows.length > 0,
    );
    await page.screenshot('workflow-tests-coverage');
  });

  it('are made from an execution in its row, and are green with one more click', async function () {
    requirePage(this);
    const { executionId } = await run(v.looseObject({ executionId: v.string() }), 'workflow.executeDraft', {
      workflowId,
      input: { id: 8 },
      answers: priced(300),
    });
    await vscode.commands.executeCommand(`${executions}.focus`);
    await untilRow(executions, 'Orders', ({ accessibleName }) => accessibleName.includes('completed'));
    await runOnRow(executions, 'Orders', 'Create Test from Execution');
    const name = `as in ${executionId.slice(-6)}`;
    await until(
      () => vscode.window.activeTextEditor?.document.getText() ?? '',
      (text) => text.includes(`"name": "${name}"`),
    );
    await page.screenshot('workflow-tests-created');
    // Where the focus leaves the editor at once, VS Code doesn't ask for lenses.
    const lens = lensAbove('Run', `"name": "${name}"`);
    await page.waitFor(lens);
    const passed = `.test-explorer .monaco-list-row:has-text("${name}") .codicon-testing-passed-icon`;
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await clickLens(lens, () => page.appears(passed));
    await until(
      () => readText(file),
      (text) => text.includes('"price": 300'),
    );
  });

  it('run again when the definition that they test is saved', async function () {
    requirePage(this);
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await page.hover('.test-explorer .monaco-list-row:has-text("a large order")');
    const button =
      '.test-explorer .monaco-list-row:has-text("a large order") .action-label[aria-label*="Continuous"]';
    await clickUntil(button, () => page.isThere(`${button}.checked`));
    await replaceOnce(document, String.raw`\"size\": \"large\"`, String.raw`\"size\": \"very large\"`);
    assert.ok(await document.save());
    await page.waitFor(
      '.test-explorer .monaco-list-row:has-text("a large order") .codicon-testing-failed-icon',
    );
    await page.screenshot('workflow-tests-continuous');
  });

  it('are marked where they name a node that is gone, and offer the nodes that are there', async () => {
    const marks = () =>
      vscode.languages
        .getDiagnostics(file)
        .map(({ message, range }) => `${range.start.line + 1}: ${message}`);
    await vscode.window.showTextDocument(file);
    await until(
      marks,
      (all) => all.length >= 2 && all.some((each) => each.includes('The workflow has no node "gone".')),
    );
    const document = await vscode.workspace.openTextDocument(file);
    const at = document.positionAt(document.getText().indexOf('"gone": 1') + 1);
    await until(
      () => completionsAt(document, at),
      (labels) => ['start', 'price', 'isLarge'].every((id) => labels.includes(id)),
    );
  });

  it('expect what came, once it is taken', async () => {
    await runTests({});
    const updated = await run(v.unknown(), 'test.updateExpected', {
      uri: file.toString(),
      name: 'a wrong size',
    });
    assert.deepEqual(updated, { updated: 1 });
    const [outcome] = await runTests({ uri: file.toString(), name: 'a wrong size' });
    assert.equal(outcome?.outcome, 'passed', outcome?.message);
  });

  it('leave the rest of the file as it is, its mark of the encoding too, when one is created', async () => {
    const kept = workspaceFile('kept.workflow-test.json');
    const created = await run(v.object({ workflowId: v.string() }), 'workflow.create', {
      definition: { ...definition, name: 'Kept' },
    });
    const { executionId } = await run(v.looseObject({ executionId: v.string() }), 'workflow.executeDraft', {
      workflowId: created.workflowId,
      input: { id: 9 },
      answers: priced(10),
    });
    const key = ['svc', 'sk', 'f'.repeat(20)].join('_');
    const earlier = { name: 'earlier', input: { key }, expected: { status: 'completed' } };
    await writeText(kept, `\ufeff${JSON.stringify({ workflow: 'Kept', tests: [earlier] }, null, 4)}\n`);
    await vscode.commands.executeCommand('testing.refreshTests');
    const all = () =>
      run(v.array(v.looseObject({ id: v.string(), status: v.string() })), 'execution.list', {});
    await until(all, (list) => list.some(({ id, status }) => id === executionId && status === 'completed'));
    await run(v.unknown(), 'execution.createTest', { executionId });
    const bytes = await vscode.workspace.fs.readFile(kept);
    assert.deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf]);
    const text = await readText(kept);
    assert.ok(text.includes(`"key": "${key}"`), text);
    assert.ok(text.includes('"price": 10'), text);
    await vscode.workspace.fs.delete(kept);
  });

  it('are both there when two are created at once, and not in the file of a workflow whose name gives the same one', async () => {
    const other = workspaceFile('At once.workflow-test.json');
    const made = workspaceFile('At once (2).workflow-test.json');
    await writeText(other, JSON.stringify({ workflow: 'At:once', tests: [] }));
    await vscode.commands.executeCommand('testing.refreshTests');
    const { workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', {
      definition: { ...definition, name: 'At/once' },
    });
    const execute = async () => {
      const { executionId } = await run(v.looseObject({ executionId: v.string() }), 'workflow.executeDraft', {
        workflowId,
        input: { id: 9 },
        answers: priced(10),
      });
      const all = () =>
        run(v.array(v.looseObject({ id: v.string(), status: v.string() })), 'execution.list', {});
      await until(all, (list) => list.some(({ id, status }) => id === executionId && status === 'completed'));
      return executionId;
    };
    const executionIds = [await execute(), await execute()];
    await Promise.all(
      executionIds.map((executionId) => run(v.unknown(), 'execution.createTest', { executionId })),
    );
    const { tests } = v.parse(v.object({ tests: v.array(v.unknown()) }), JSON.parse(await readText(made)));
    assert.equal(tests.length, 2);
    assert.ok((await readText(other)).includes('"tests":[]'));
    await Promise.all([other, made].map((each) => vscode.workspace.fs.delete(each)));
  });

  it('are listed soon where there are a thousand in fifty files', async function () {
    requirePage(this);
    const many = Array.from({ length: 20 }, (_, at) => ({
      name: `test ${at}`,
      input: { id: at },
      expected: { status: 'completed', output: { id: at } },
    }));
    const text = JSON.stringify({ workflow: 'Orders', tests: many }, null, 2);
    const files = Array.from({ length: 50 }, (_, at) =>
      workspaceFile(`many/file ${String(at).padStart(2, '0')}.workflow-test.json`),
    );
    await Promise.all(files.map((each) => writeText(each, text)));
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await soon('listing the tests', () => vscode.commands.executeCommand('testing.refreshTests'));
    await page.waitFor('.test-explorer .monaco-list-row:has-text("file 00")');
    await vscode.workspace.fs.delete(workspaceFile('many'), { recursive: true });
    await page.waitUntilGone('.test-explorer .monaco-list-row:has-text("file 00")');
  });
});
