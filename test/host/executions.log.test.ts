// The log of an execution is a document that grows, folds and has an outline, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { soon } from './soon.ts';
import { until } from './until.ts';

const Imported = v.object({ workflowId: v.string() });

async function openLog(executionId: string): Promise<vscode.TextDocument> {
  const uri = await run(v.string(), 'execution.openLog', { executionId });
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
}

const symbolsOf = ({ uri }: vscode.TextDocument) =>
  vscode.commands.executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', uri);

const wait = { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 30_000 } };
const slow = {
  name: 'Slow greeting',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'log', config: { message: 'Hello {{ input.name }}' } },
    wait,
    { id: 'bye', name: 'Bye', type: 'log', config: { message: 'Bye {{ input.name }}' } },
  ],
  edges: [
    { source: 'start', target: 'greet' },
    { source: 'greet', target: 'rest' },
    { source: 'rest', target: 'bye' },
  ],
};

describe('the log document of an execution', () => {
  let service: OwnService;
  let connectionId: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Logs', service);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('has every line, an outline by node run, and folds', async function () {
    const { id } = await findWorkflow('Order totals');
    await run(v.unknown(), 'workflow.deploy', { workflowId: id });
    const lines = ['Tea', 'Milk'].map((product) => ({ product, quantity: 2, price: 1.5 }));
    const { executionId } = await execute(id, { lines, taxPercent: 7 });
    assert.ok(executionId);
    const document = await openLog(executionId);
    assert.equal(document.languageId, 'log');
    await until(
      () => document.getText(),
      (text) => text.includes('[info] completed in '),
    );
    assert.match(document.getText(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w+\] Order placed: /);
    const symbols = await until(
      () => symbolsOf(document),
      (all) =>
        all.some(({ name, detail }) => name === 'Log the line [2]' && detail.startsWith('completed · ')),
    );
    assert.equal(symbols.filter(({ name }) => name === 'Add up').length, 1);
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      document.uri,
    );
    assert.ok(folds.length >= 4);
    requirePage(this);
    await vscode.commands.executeCommand('outline.focus');
    await page.waitFor('.outline-tree .monaco-list-row:has-text("Log the line [1]")');
    await page.screenshot('log-document');
  });

  it('is brought into sight in the channel, also where later ones have come below', async function () {
    requirePage(this);
    const { id } = await findWorkflow('Order totals');
    const lines = Array.from({ length: 12 }, () => ({ product: 'Tea', quantity: 2, price: 1.5 }));
    const executed = [];
    for (let count = 0; count < 2; count += 1) {
      const { executionId } = await execute(id, { lines, taxPercent: 7 });
      assert.ok(executionId);
      executed.push(executionId);
      await until(
        () => page.outputLines(),
        (all) => all.some((line) => line.includes(executionId.slice(-6)) && line.includes('completed in')),
      );
    }
    const [first = ''] = executed;
    await vscode.commands.executeCommand('workflowAutomation.execution.showLogs', {
      connectionId,
      executionId: first,
      invokedBy: 'person',
    });
    await until(
      () => page.outputLines(),
      ([top = '']) => top.includes(first.slice(-6)),
    );
  });

  it('grows while the execution goes on', async () => {
    const { workflowId } = await run(Imported, 'workflow.import', { definition: slow });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const { executionId } = await execute(workflowId, { name: 'Ada' });
    assert.ok(executionId);
    const grown = await soon('From opening the log to its lines', async () => {
      const document = await openLog(executionId);
      return until(
        () => document.getText(),
        (text) => text.includes('Greet: Hello Ada') && text.includes('Rest: '),
      );
    });
    assert.equal(grown.split('Greet: Hello Ada').length, 2);
    assert.ok(!grown.includes('Bye Ada'));
  });
});
