// Filling the input as a person does: by schema, from history and from an execution, with nothing lost on the way.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { execute, findWorkflow, listExecutions, run, startLocalService } from './commands.ts';
import { completionsAt } from './completions.ts';
import { replaceText } from './edits.ts';
import { ada, bob, history, openInput, row, textOf } from './inputDocuments.ts';
import { untilExplained } from './hovers.ts';
import { closePrompt, take } from './keyboard.ts';
import { answerNotification, untilNotified } from './notifications.ts';
import { page, requirePage } from './page.ts';
import { clickLens, drawnLens, lensLink, pressLens } from './lenses.ts';
import { until } from './until.ts';

const Imported = v.object({ workflowId: v.string() });

/** The labels that are offered at the mark "|" of a text. */
async function completionsIn(document: vscode.TextDocument, marked: string): Promise<string[]> {
  await replaceText(document, marked.replace('|', ''));
  return completionsAt(document, document.positionAt(marked.indexOf('|')));
}

const problemsOf = (document: vscode.TextDocument) =>
  vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source }) => source?.startsWith('Workflows') === true);

describe('inputs', () => {
  let workflowId: string;

  before(async () => {
    await startLocalService();
    ({ id: workflowId } = await findWorkflow('Signup check'));
    await vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId });
  });

  describe('by the schema that the trigger declares', () => {
    it('says so, completes, and explains', async function () {
      requirePage(this);
      const document = await openInput(workflowId);
      await page.waitFor(drawnLens("Validated against the trigger's schema"));
      const offered = await until(
        () => completionsIn(document, '{ "|" }'),
        (labels) => labels.includes('email'),
      );
      assert.deepEqual(offered.filter((label) => ['name', 'email', 'age'].includes(label)).sort(), [
        'age',
        'email',
        'name',
      ]);
      await replaceText(document, '{ "email": "x" }');
      await untilExplained(document, new vscode.Position(0, 4), 'Must be a valid email address');
    });

    it('says so where an input is too long to be validated, and validates it again once it is shorter', async function () {
      requirePage(this);
      const document = await openInput(workflowId);
      const long = JSON.stringify({ name: 'x'.repeat(300 * 1024), age: 'old' });
      await replaceText(document, long);
      await page.waitFor(drawnLens('Not validated here: the input is too long'));
      await until(
        () => problemsOf(document),
        (all) => all.length === 0,
      );
      await replaceText(document, '{ "name": "Ada", "age": "old" }');
      await page.waitFor(drawnLens("Validated against the trigger's schema"));
      await until(
        () => problemsOf(document),
        (all) => all.length === 2,
      );
    });

    it('warns of what does not fit, which may be sent; what is no JSON is one error, not two', async () => {
      const document = await openInput(workflowId);
      await replaceText(document, '{ "name": "Ada", "age": "old" }');
      const warnings = await until(
        () => problemsOf(document),
        (all) => all.length === 2,
      );
      assert.ok(warnings.every(({ severity }) => severity === vscode.DiagnosticSeverity.Warning));
      assert.ok(warnings.some(({ message }) => message.includes('email')));
      assert.ok(warnings.some(({ message }) => message.includes('integer')));
      await replaceText(document, '{ "name": ');
      await until(
        () => vscode.languages.getDiagnostics(document.uri).map(({ severity }) => severity),
        ([first, ...others]) => first === vscode.DiagnosticSeverity.Error && others.length === 0,
      );
      await replaceText(document, textOf(ada));
      await until(
        () => problemsOf(document),
        (all) => all.length === 0,
      );
      await document.save();
    });
  });

  describe('an input that breaks the schema that the trigger declares', () => {
    const bad = { name: 'Cyd', email: 'cyd@example.com', age: 'old' };
    const executed = async () => (await listExecutions({ workflowId })).length;

    it('is sent only once you say so; code is asked nothing', async function () {
      requirePage(this);
      const before = await executed();
      const document = await openInput(workflowId);
      await replaceText(document, textOf(bad));
      await pressLens(document, 'Execute');
      const question = 'schema: age must be of type integer, not string. Execute anyway?';
      await untilNotified(question);
      await page.screenshot('input-mismatch');
      assert.equal(await executed(), before);
      await answerNotification(question, 'Execute Anyway');
      await until(executed, (count) => count === before + 1);
      await until(
        () => history(workflowId),
        ([newest]) => newest?.input['name'] === bad.name,
      );
      await execute(workflowId, bad);
      assert.equal(await executed(), before + 2);
      await replaceText(document, textOf(ada));
      await document.save();
      await vscode.commands.executeCommand('notifications.clearAll');
    });
  });

  describe('from the history', () => {
    before(async () => {
      await execute(workflowId, bob);
      await execute(workflowId, ada);
    });

    it('puts the chosen one into the document, as an edit that can be undone', async function () {
      requirePage(this);
      const document = await openInput(workflowId);
      await clickLens(lensLink('History…'), () => page.isThere(row('Bob')));
      await page.screenshot('input-history');
      await take('Bob');
      await until(
        () => document.getText(),
        (text) => text === textOf(bob),
      );
      // It undoes where the focus is.
      await page.waitFor('.monaco-editor.focused');
      await vscode.commands.executeCommand('undo');
      await until(
        () => document.getText(),
        (text) => text === textOf(ada),
      );
    });

    it('asks before a text that was not saved goes; Escape keeps it', async function () {
      requirePage(this);
      const document = await openInput(workflowId);
      await replaceText(document, '{ "half');
      await pressLens(document, 'History…');
      await take('Bob');
      await page.waitFor(row('Replace the Text'));
      await page.screenshot('input-unsaved');
      await closePrompt();
      assert.equal(document.getText(), '{ "half');
      await pressLens(document, 'History…');
      await take('Bob');
      await take('Replace the Text');
      await until(
        () => document.getText(),
        (text) => text === textOf(bob),
      );
    });

    it('takes an input from an execution too', async function () {
      requirePage(this);
      const document = await openInput(workflowId);
      await replaceText(document, '{}');
      await document.save();
      await pressLens(document, 'History…');
      await take('Use Input of an Execution');
      await page.waitFor('.quick-input-widget input[placeholder^="Select an execution"]:focus');
      await page.waitFor('.quick-input-widget .monaco-list-row.focused');
      await page.press('Enter');
      await until(
        () => document.getText(),
        (text) => text.includes('@example.com'),
      );
    });
  });

  it('learns a schema where none is declared, and says from how many inputs', async function () {
    requirePage(this);
    const { workflowId: plain } = await run(Imported, 'workflow.import', { definition: plainDefinition });
    await vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId: plain });
    await execute(plain, { city: 'Rome', days: 3 });
    await execute(plain, { city: 'Oslo' });
    const document = await openInput(plain);
    await page.waitFor(drawnLens('Schema inferred from 2 past inputs'));
    await until(
      () => completionsIn(document, '{ "|" }'),
      (labels) => labels.includes('city') && labels.includes('days'),
    );
    await replaceText(document, '{ "city": 7 }');
    const problems = await until(
      () => problemsOf(document),
      (all) => all.length === 1,
    );
    assert.equal(problems[0]?.severity, vscode.DiagnosticSeverity.Information);
    await page.screenshot('learned-schema');
    await document.save();
    await vscode.commands.executeCommand(commandId('workflow.delete'), { workflowId: plain });
  });

  it('edits the input of an execution and runs it again', async function () {
    requirePage(this);
    const { executionId } = await execute(workflowId, bob);
    assert.ok(executionId);
    const document = await openInput(workflowId);
    await replaceText(document, '{ "mine": 1 }');
    await assert.rejects(() => run(v.string(), 'execution.editInput', { executionId }), /unsaved changes/);
    assert.equal(document.getText(), '{ "mine": 1 }');
    await document.save();
    assert.equal(await run(v.string(), 'execution.editInput', { executionId }), document.uri.toString());
    await until(
      () => document.getText(),
      (text) => text === textOf(bob),
    );
    const changed = { ...bob, age: 41 };
    await replaceText(document, textOf(changed));
    await pressLens(document, 'Execute');
    const [newest] = await until(
      () => history(workflowId),
      ([first]) => first?.input['age'] === 41,
    );
    assert.deepEqual(newest?.input, changed);
    await until(
      () => document.isDirty,
      (isDirty) => !isDirty,
    );
  });
});

/** Declares no schema. */
const plainDefinition = {
  name: 'Trip',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'result', name: 'Result', type: 'output', config: { expression: 'input' } },
  ],
  edges: [{ source: 'start', target: 'result' }],
};
