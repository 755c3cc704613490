// An author writes edges and expressions with the help of the editor: with real keys, and what the latest execution gave.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
import { askSuggestions, drawnSuggestions, suggestions } from './completions.ts';
import { replaceOnce } from './edits.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

async function openDefinition(workflowId: string): Promise<vscode.TextEditor> {
  const uri = await run(v.string(), 'workflow.open', { workflowId });
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  return vscode.window.showTextDocument(document);
}

/** Shows the hover at the cursor, again where lines that move close it. */
async function untilHover(text: string): Promise<void> {
  await until(async () => {
    await vscode.commands.executeCommand('editor.action.showHover');
    return page.appears(`.monaco-hover:visible :has-text("${text}")`);
  }, Boolean);
}

describe('the help in a definition', () => {
  let service: OwnService;
  let connectionId: string;
  let editor: vscode.TextEditor;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Help', service);
    const { id: workflowId } = await findWorkflow('Order totals');
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const lines = ['Tea', 'Milk'].map((product) => ({ product, quantity: 2, price: 1.5 }));
    const { status } = await execute(workflowId, { lines, taxPercent: 7 });
    assert.equal(status, 'triggered');
    editor = await openDefinition(workflowId);
  });
  beforeEach(function () {
    requirePage(this);
  });
  afterEach(async () => {
    await page.press('Escape');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('offers the ids of nodes in an edge, and writes the one that is chosen', async () => {
    await replaceOnce(editor.document, '"target": "receipt"', '"target": ""');
    await goBehind(editor, '"target": "');
    const labels = await askSuggestions(([first]) => first === 'receipt');
    assert.ok(!labels.includes('sum') && !labels.includes('order'), labels.join());
    await page.screenshot('completion-edge');
    await page.press('Enter');
    await until(
      () => editor.document.getText(),
      (text) => /"source": "sum",\s*"target": "receipt"/.test(text),
    );
  });

  it('offers what nodes gave while a person types, without the words of the text', async () => {
    await until(page.outputLines, (lines) => lines.some((line) => />\scompleted\sin/.test(line)));
    await replaceOnce(editor.document, "$merge([{ 'lines': nodes.lines[] }, nodes.sum])", '');
    await goBehind(editor, '"expression": "');
    await page.type('nodes.');
    await until(drawnSuggestions, (labels) => ['order', 'lines', 'sum'].every((id) => labels.includes(id)));
    await page.type('sum.');
    await until(drawnSuggestions, (labels) => labels.join() === 'subtotal,tax,total');
    await until(
      () => page.texts(suggestions),
      (shown) => shown.some((row) => row.includes('6.42')),
    );
    await page.screenshot('completion-output');
    await page.type('to');
    await until(drawnSuggestions, (all) => all[0] === 'total');
    await page.press('Enter');
    await page.type(' & $subs');
    await until(drawnSuggestions, (all) => all[0] === '$substring');
    await page.screenshot('completion-function');
    await page.press('Enter');
    await until(
      () => editor.document.getText(),
      (text) => text.includes('"nodes.sum.total & $substring()"'),
    );
  });

  it('explains a value by the latest execution, and a function', async () => {
    await goBehind(editor, 'nodes.price.to');
    await untilHover('nodes.price.total: number');
    await page.screenshot('completion-hover');
    await untilHover('In the latest execution:');
    await page.press('Escape');
    await goBehind(editor, '$rou');
    await untilHover('$round(number: number, digits?: number): number');
    await page.screenshot('completion-hover-function');
  });
});
