// An author reads behind each expression what it gave, and tries another one on the same data without running anything.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, listExecutions, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { clickLens, lensLink } from './lenses.ts';
import { page, requirePage } from './page.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

const order = {
  lines: [
    { product: 'Tea', quantity: 2, price: 2.5 },
    { product: 'Milk', quantity: 1, price: 1 },
  ],
};
const Evaluated = v.object({ executionId: v.string(), value: v.unknown() });

async function openDefinition(workflowId: string): Promise<vscode.TextDocument> {
  const uri = await run(v.string(), 'workflow.open', { workflowId });
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
}

/** The values behind the expressions of a document, as "what is before: value". */
async function hintsIn(document: vscode.TextDocument): Promise<readonly string[]> {
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    'vscode.executeInlayHintProvider',
    document.uri,
    new vscode.Range(0, 0, document.lineCount, 0),
  );
  return hints.map(({ position, label }) => {
    const before = document.getText(new vscode.Range(position.translate(0, -6), position));
    return `${before} ${typeof label === 'string' ? label : label.map(({ value }) => value).join('')}`;
  });
}

const drawn = async () => (await page.texts('.view-line')).map((text) => text.replaceAll('\u00a0', ' '));

describe('the expressions of a definition', () => {
  let service: OwnService;
  let connectionId: string;
  let document: vscode.TextDocument;
  let workflowId: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Expressions', service);
    workflowId = (await findWorkflow('Order totals')).id;
    await run(v.unknown(), 'workflow.deploy', { workflowId });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('have nothing behind them before there is an execution', async () => {
    document = await openDefinition(workflowId);
    assert.deepEqual(await hintsIn(document), []);
  });

  it('have what they gave behind them, also on the screen', async function () {
    await execute(workflowId, order);
    // They come one after the other, as the nodes run.
    for (const hint of [
      'lines" → [{"product":"Tea","quantity":2,"price":2.5},{"product":"Mil…',
      '+ 1 }} → 1',
      'uct }} → "Tea"',
      'tal }} → 5',
    ])
      await until(
        () => hintsIn(document),
        (all) => all.includes(hint),
      );
    requirePage(this);
    const editor = await vscode.window.showTextDocument(document);
    await goBehind(editor, '"items": "input');
    await until(drawn, (lines) => lines.some((line) => line.includes('"input.lines"→ [{"product":"Tea"')));
    await page.screenshot('expressions-gave');
    const hover = '.monaco-hover:has-text("Value in this execution"):has-text("\\"quantity\\": 2")';
    // The editor closes a hover when lines move, as they do while the execution goes on.
    await until(async () => {
      await vscode.commands.executeCommand('editor.action.showHover');
      return page.appears(hover);
    }, Boolean);
    await page.screenshot('expressions-hover');
    await page.press('Escape');
  });

  it('are evaluated as they are now, at the cursor, with one key; nothing runs', async function () {
    requirePage(this);
    const { length } = await listExecutions({ workflowId });
    const editor = await vscode.window.showTextDocument(document);
    await replaceOnce(document, 'input.lines"', '$sum(input.lines.quantity)"');
    await goBehind(editor, '"items": "$sum(');
    await until(
      () => hintsIn(document),
      (all) => !all.some((hint) => hint.startsWith('ity)" ')),
    );
    await page.press('Alt+Enter');
    await until(
      () => hintsIn(document),
      (all) => all.includes('tity)" = 3'),
    );
    await until(drawn, (lines) => lines.some((line) => line.includes('quantity)"= 3')));
    await page.screenshot('expressions-evaluated');
    assert.equal((await listExecutions({ workflowId })).length, length);
  });

  it('have "Evaluate" above each line that has one', async () => {
    const wanted = ['"items"', '"result"', '"expression"', '"message"', '"expression"', '"expression"'];
    await until(
      async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          document.uri,
          100,
        );
        return lenses
          .filter(({ command }) => command?.title === 'Evaluate')
          .map(({ range }) => document.lineAt(range.start.line).text.trim().replace(/": .*/, '"'));
      },
      (lines) => lines.join() === wanted.join(),
    );
  });

  it('lose the result with the next edit, and say in words why they have none', async function () {
    requirePage(this);
    await replaceOnce(document, '.quantity)"', '.quantity +)"');
    await until(
      () => hintsIn(document),
      (all) => !all.some((hint) => hint.endsWith(' = 3')),
    );
    await vscode.window.showTextDocument(document);
    await clickLens(lensLink('Evaluate'), async () =>
      (await hintsIn(document)).some((hint) => hint.includes(' = failed: ')),
    );
    await page.screenshot('expressions-failed');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('show the result of "Evaluate" in sight also on a line that is longer than the screen', async function () {
    requirePage(this);
    const editor = await vscode.window.showTextDocument(document);
    await replaceOnce(document, 'input.lines"', `$sum(input.lines.quantity)${' + 0'.repeat(100)}"`);
    await goBehind(editor, '"items": "$sum(');
    const result = '.monaco-hover:has-text("Result with this execution"):has-text("3")';
    await page.press('Alt+Enter');
    await page.waitFor(result);
    await page.screenshot('expressions-long-line');
    await page.press('Escape');
    await page.waitUntilGone(result);
    await goBehind(editor, '"result"');
    await clickLens(lensLink('Evaluate'), () => page.isThere(result));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('are evaluated for code, for a node or for the end, as plain JSON', async () => {
    const evaluate = (argument: object) =>
      run(Evaluated, 'workflow.evaluateExpression', { workflowId, ...argument });
    const { executionId, value } = await evaluate({ expression: '$keys(nodes)' });
    assert.equal(executionId, (await listExecutions({ workflowId }))[0]?.id);
    assert.deepEqual(value, ['order', 'lines', 'sum', 'receipt']);
    const inLoop = await evaluate({ expression: '[item.product, index, $keys(nodes)]', nodeId: 'say' });
    assert.deepEqual(inLoop.value, ['Tea', 0, 'order', 'pick', 'price']);
    await assert.rejects(
      evaluate({ expression: '($f := function() { $f() }; $f())' }),
      /longer than 1000 ms|stack/i,
    );
    await assert.rejects(evaluate({ expression: '1', nodeId: 'no' }), /"no" is no longer in the definition/);
    await assert.rejects(
      Promise.resolve(
        vscode.commands.executeCommand('workflowAutomation.workflow.evaluateExpression', { workflowId }),
      ),
      /expects \{workflowId, expression/,
    );
  });
});
