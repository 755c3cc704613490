// The timeline of an execution is a document that grows and leads to each node run, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isJsonObject, parseJson } from '../../src/base/json.ts';
import { connect, disconnect, execute, findWorkflow, run } from './commands.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Imported = v.object({ workflowId: v.string() });

async function openTimeline(executionId: string): Promise<vscode.TextDocument> {
  const uri = await run(v.string(), 'execution.openTimeline', { executionId });
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
}

const textOnce = (document: vscode.TextDocument, isWanted: (text: string) => boolean) =>
  until(() => document.getText(), isWanted);

const slow = {
  name: '注文 [x](command:workbench.action.quit)',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: '挨拶する', type: 'log', config: { message: 'Hello' } },
    { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 30_000 } },
  ],
  edges: [
    { source: 'start', target: 'greet' },
    { source: 'greet', target: 'rest' },
  ],
};

describe('the timeline of an execution', () => {
  let service: OwnService;
  let connectionId: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Timelines', service);
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', false, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  async function executeSample(name: string, input: object): Promise<string> {
    const { id } = await findWorkflow(name);
    await run(v.unknown(), 'workflow.deploy', { workflowId: id });
    const { executionId } = await execute(id, input);
    return executionId ?? assert.fail('No execution is known.');
  }

  it('has a line for each turn of a loop, in the order of their starts, and an outline', async function () {
    const lines = ['Tea', 'Milk', 'Sugar'].map((product) => ({ product, quantity: 2, price: 1.5 }));
    const document = await openTimeline(await executeSample('Order totals', { lines, taxPercent: 7 }));
    assert.match(document.uri.path, /^\/Timelines\/Order totals \w+ execution\.timeline\.txt$/);
    assert.equal(document.languageId, 'workflow-timeline');
    const text = await textOnce(document, (shown) => shown.startsWith('Order totals · completed in '));
    const names = text.split('\n').flatMap((line) => /^ {2}completed .* {2}(\S.*)$/.exec(line)?.[1] ?? []);
    const turn = (number: number) =>
      ['Pick from the shelf', 'Price the line', 'Log the line'].map((name) => `${name} [${number}]`);
    assert.deepEqual(names, [
      ...['Order placed', 'For each line', ...turn(1), ...turn(2), ...turn(3), 'Add up', 'Receipt'],
    ]);
    assert.match(text, /^Longest: {2}For each line /m);
    assert.match(text, /^Idle: {5}.* \(\d+%\)$/m);
    assert.match(text, /^ {2}completed .*░{5,} .* Pick from the shelf \[2\]$/m);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.deepEqual(
      symbols.map(({ name }) => name),
      names,
    );
    requirePage(this);
    await vscode.commands.executeCommand('outline.focus');
    await page.waitFor('.outline-tree .monaco-list-row:has-text("Log the line [1]")');
    await page.screenshot('timeline-loop');
  });

  it('leads from a line to the document of its node run', async function () {
    const document = await openTimeline(
      await executeSample('Support triage', {
        email: 'ada@example.com',
        message: 'Our checkout is down, help!',
        plan: 'enterprise',
      }),
    );
    const text = await textOnce(document, (shown) => shown.startsWith('Support triage · completed in '));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
      1,
    );
    assert.equal(
      links.length,
      text.split('\n').filter((line) => /^ {2}(completed|skipped) /.test(line)).length,
    );
    const [link] = links;
    assert.ok(link?.target);
    assert.equal(document.getText(link.range), 'Message received');
    const opened = await vscode.workspace.openTextDocument(link.target);
    const shown = parseJson(opened.getText());
    assert.ok(isJsonObject(shown));
    assert.equal(shown['nodeName'], 'Message received');
    requirePage(this);
    await page.waitFor('.view-line .detected-link');
    await page.screenshot('timeline-branch');
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(link.range.start, link.range.start);
    // The editor opens none while it asks for the links again, as when it gets the focus.
    await until(
      async () => {
        await vscode.commands.executeCommand('editor.action.openLink');
        return page.appears('.tab.active:has-text("Message received")');
      },
      (isOpen) => isOpen,
    );
  });

  it('shows what still runs, and names as they are', async function () {
    const { workflowId } = await run(Imported, 'workflow.import', { definition: slow });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const { executionId } = await execute(workflowId, {});
    assert.ok(executionId);
    const document = await openTimeline(executionId);
    const text = await textOnce(document, (shown) => /^~ waiting .* Rest$/m.test(shown));
    assert.match(text, /^注文 \[x\]\(command:workbench\.action\.quit\) · waiting, .* so far\n/);
    assert.match(text, /^~ waiting .* … .* {2}Rest$/m);
    requirePage(this);
    await vscode.commands.executeCommand('outline.focus');
    await page.waitFor('.outline-tree .monaco-list-row:has-text("Rest")');
    await page.screenshot('timeline-running');
  });
});
