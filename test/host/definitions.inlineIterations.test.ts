// An author steps through the iterations of a loop on the definition itself, and sees there what each node got and gave.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { hoverUntil } from './clicks.ts';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { drawnLenses, lensesOf, lineOf, openDefinition } from './inlineDefinition.ts';
import { closePrompt } from './keyboard.ts';
import { clickLens, lensLink } from './lenses.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { hasPage, page, requirePage } from './page.ts';
import { until } from './until.ts';

describe('a loop on an opened definition', () => {
  let service: OwnService;
  let connectionId: string;
  let loopId: string;
  let looped: vscode.TextDocument;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Turns', service);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  const turnAt = (nodeId: string, title: string) => (lenses: readonly string[]) =>
    lenses.includes(`${lineOf(looped, nodeId)}: ${title}`);
  const hoverOf = async (nodeId: string): Promise<string> => {
    const at = looped.positionAt(looped.getText().indexOf(`"id": "${nodeId}"`) + 2);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      looped.uri,
      at,
    );
    return hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
      .join('\n');
  };
  const showPrices = async () => {
    const editor = await vscode.window.showTextDocument(looped);
    const line = lineOf(looped, 'pick');
    const range = new vscode.Range(line, 0, line + 15, 0);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
    return editor;
  };

  it('shows the first iteration, and lets a person choose a run', async function () {
    const loop = await findWorkflow('Order totals');
    loopId = loop.id;
    await run(v.unknown(), 'workflow.deploy', { workflowId: loopId });
    const lines = ['Tea', 'Milk', 'Bread'].map((product) => ({ product, quantity: 2, price: 1.5 }));
    await execute(loopId, { lines, taxPercent: 7 });
    looped = await openDefinition(loopId);
    await until(
      () => lensesOf(looped),
      (all) => all[0]?.includes(': completed') === true && turnAt('price', 'Iteration 1 of 3')(all),
    );
    requirePage(this);
    await showPrices();
    // The widget keeps hidden details of what was chosen from before.
    const iterations = async () => (await page.quickPick()).filter((label) => / \[\d\]$/.test(label));
    await clickLens(lensLink('Iteration 1 of 3'), async () => (await iterations()).length === 3);
    assert.match((await iterations())[1] ?? '', / \[2\]$/);
    await page.screenshot('inline-choose-turn');
    await closePrompt();
    await until(page.lines, (all) => all.some((line) => /"Price the line",✓ completed · .*Tea/.test(line)));
  });

  it('steps through its iterations: from code, at the cursor, and with a click; all its nodes show the same', async function () {
    const second = await run(v.unknown(), 'workflow.nextIteration', { workflowId: loopId, nodeId: 'price' });
    assert.deepEqual(second, { nodeId: 'price', iteration: 2, iterations: 3 });
    await until(
      () => lensesOf(looped),
      (all) => turnAt('price', 'Iteration 2 of 3')(all) && turnAt('pick', 'Iteration 2 of 3')(all),
    );
    const hover = await hoverOf('price');
    for (const part of ['Iteration 2 of 3', '"product": "Milk"', 'nodeRun.open', 'nodeRun.openLog'])
      assert.ok(hover.includes(part), hover);
    const editor = await showPrices();
    // Before the node's brace: its line counts.
    const ofNode = looped.positionAt(looped.getText().indexOf('"Price the line"')).line;
    const brace = [...Array(ofNode).keys()].findLast((line) => looped.lineAt(line).text.trim() === '{') ?? 0;
    editor.selection = new vscode.Selection(brace, 0, brace, 0);
    await vscode.commands.executeCommand('workflowAutomation.workflow.nextIteration');
    await until(() => lensesOf(looped), turnAt('price', 'Iteration 3 of 3'));
    requirePage(this);
    await page.waitFor('.editor-instance .monaco-editor.focused');
    await page.press('Control+Alt+PageUp');
    await until(() => lensesOf(looped), turnAt('price', 'Iteration 2 of 3'));
    await page.press('Control+Alt+PageDown');
    await until(() => lensesOf(looped), turnAt('price', 'Iteration 3 of 3'));
    await until(page.lines, (all) => all.some((line) => /"Price the line",✓ completed · .*Bread/.test(line)));
    await page.screenshot('inline-turn');
    await clickLens('.codelens-decoration a:has(.codicon-chevron-left)', async () =>
      turnAt('price', 'Iteration 2 of 3')(await lensesOf(looped)),
    );
    const ofTurns = (all: readonly string[]) => all.filter((lens) => lens.includes('Iteration'));
    await until(
      async () => ofTurns(await drawnLenses()),
      (all) => all.length > 1 && all.every((lens) => lens.includes('Iteration 2 of 3')),
    );
    await hoverUntil('.view-line :text("Price the line")', '.monaco-hover:has-text("Open Node Run")');
    await page.screenshot('inline-hover');
  });

  it('says which node has changed since, until it is as it was', async function () {
    requirePage(this);
    await showPrices();
    await replaceOnce(looped, '"Price the line"', '"New: Price the line"');
    const changed = (all: readonly string[]) => all.filter((line) => line.includes('changed since'));
    const lines = await until(page.lines, (all) => changed(all).length > 0);
    assert.match(
      changed(lines)[0] ?? '',
      /"New: Price the line",✓ completed · .* · changed since this execution · /,
    );
    assert.equal(changed(lines).length, 1);
    await page.screenshot('inline-changed');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(page.lines, (all) => changed(all).length === 0);
  });

  it('says nothing of all this when that is turned off', async function () {
    const toggle = () => run(v.object({ isShown: v.boolean() }), 'definitions.toggleExecution', {});
    assert.deepEqual(await toggle(), { isShown: false });
    await until(
      () => lensesOf(looped),
      (all) =>
        all.some((lens) => lens.startsWith(`${lineOf(looped, 'price')}: $(pass) completed · ×3`)) &&
        !all.some((lens) => lens.includes('Iteration')),
    );
    assert.doesNotMatch(await hoverOf('price'), /Open Node Run/);
    if (hasPage) await until(page.lines, (all) => !all.some((line) => line.includes('✓')));
    assert.deepEqual(await toggle(), { isShown: true });
    await until(() => lensesOf(looped), turnAt('price', 'Iteration 2 of 3'));
    requirePage(this);
    await until(page.lines, (all) => all.some((line) => line.includes('✓')));
  });
});
