// An author changes an expression and sees its new value on recorded data, with one click and nothing saved or deployed.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { openDefinition } from './inlineDefinition.ts';
import { choose, escape, isAsking } from './keyboard.ts';
import { clickLens, nodeLensLink } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const definition = {
  name: 'Twice',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'double', name: 'Double', type: 'transform', config: { expression: 'input.n * 2' } },
    { id: 'add', name: 'Add', type: 'transform', config: { expression: 'nodes.double + 1' } },
  ],
  edges: [
    { source: 'start', target: 'double' },
    { source: 'double', target: 'add' },
  ],
};

describe('the drafts of a definition', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async () => {
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Drafts', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, { n: 21 });
    document = await openDefinition(workflowId);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  const shows =
    (value: string, name = 'Double') =>
    (lines: readonly string[]) =>
      lines.some((line) => line.includes(`"${name}"`) && line.includes('completed') && line.includes(value));

  it('show the new value of an expression at the end of its line, with one click', async function () {
    requirePage(this);
    await vscode.window.showTextDocument(document);
    await until(page.lines, shows('42'));
    await replaceOnce(document, 'input.n * 2', 'input.n * 3');
    await clickLens(nodeLensLink('Execute Node', 'double'), async () => shows('63')(await page.lines()));
    await until(page.lines, (lines) => !lines.some((line) => line.includes('changed since')));
    await page.screenshot('draft-of-a-node');
    assert.ok(document.isDirty);
  });

  it('give the new value to the node that is executed next', async function () {
    requirePage(this);
    await clickLens(nodeLensLink('Execute Node', 'add'), async () => shows('64', 'Add')(await page.lines()));
  });

  it('are offered for an edited definition, whole, in place of deploying it', async function () {
    requirePage(this);
    await vscode.window.showTextDocument(document);
    await page.waitFor('.editor-instance .monaco-editor.focused');
    await page.press('Control+Enter');
    await choose('The definition has been edited since it was deployed', 'Execute as Draft');
    await until(
      page.lines,
      (lines) =>
        shows('63')(lines) && shows('64', 'Add')(lines) && lines.some((line) => line.includes('Received')),
    );
    assert.ok(document.isDirty);
  });

  it('are executed from code, up to a node, with what the definition shows', async () => {
    const result = await run(v.object({ executionId: v.string() }), 'node.executeUpTo', {
      workflowId,
      nodeId: 'double',
    });
    await until(
      () => listExecutions({ workflowId }),
      (all) => all.some(({ id, status }) => id === result.executionId && status === 'completed'),
    );
  });

  it('say what they call, before they call it', async function () {
    requirePage(this);
    const url = `${service.baseUrl}/nowhere`;
    const call = { id: 'call', name: 'Call', type: 'httpRequest', config: { method: 'GET', url } };
    const calling = {
      name: 'Calling',
      nodes: [definition.nodes[0], call],
      edges: [{ source: 'start', target: 'call' }],
    };
    const created = await run(v.object({ workflowId: v.string() }), 'workflow.create', {
      definition: calling,
    });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await run(v.string(), 'workflow.open', created);
    await page.waitFor('.tab.active:has-text("Calling")');
    const question = 'Execute the node "Call"?';
    const press = () => clickLens(nodeLensLink('Execute Node', 'call'), isAsking);
    await press();
    await escape(question);
    assert.deepEqual(await listExecutions(created), []);
    await press();
    await page.waitFor(`.quick-input-widget:has-text(${JSON.stringify(url)})`);
    await page.screenshot('execute-node-question');
    await choose(question, 'Execute');
    await until(
      () => listExecutions(created),
      (all) => all.length === 1,
    );
  });
});
