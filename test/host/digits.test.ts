// Numbers that JavaScript's own can't hold keep their digits wherever a person sees them.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { stringifyJson } from '../../src/base/json.ts';
import { typed } from '../support/digits.ts';
import { stopDebugging, untilFrames } from './callStack.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { openDefinition } from './inlineDefinition.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const definition = {
  name: 'Orders',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'order', name: 'Order', type: 'transform', config: { expression: 'input.id' } },
    { id: 'answer', name: 'Answer', type: 'output', config: { expression: 'input' } },
  ],
  edges: [
    { source: 'start', target: 'order' },
    { source: 'order', target: 'answer' },
  ],
};
const input = (id: string) => typed(`{"id":${id},"rate":0.1234567890123456789,"huge":1e400}`);

describe('a number with more digits than JavaScript holds', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  const ids: string[] = [];

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Digits', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await vscode.workspace
      .getConfiguration('workflowAutomation')
      .update('logs.revealOnExecute', false, vscode.ConfigurationTarget.Global);
    for (const id of ['9007199254740992', '9007199254740993'])
      ids.push((await execute(workflowId, input(id))).executionId ?? assert.fail('No execution is known.'));
    await until(
      () => listExecutions({ workflowId }),
      (all) => all.filter(({ status }) => status === 'completed').length === 2,
    );
  });
  afterEach(async () => {
    await stopDebugging();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('is the same in the document of an output', async () => {
    const uri = await run(v.string(), 'execution.openOutput', { executionId: ids[1] });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    await vscode.window.showTextDocument(document);
    const text = await until(
      () => document.getText(),
      (found) => found.includes('9007199254740993'),
    );
    assert.ok(stringifyJson(typed(text)).includes(stringifyJson(input('9007199254740993'))), text);
    await page.screenshot('digits-output');
  });

  it('is the same at the end of a line of the definition', async () => {
    await openDefinition(workflowId);
    await until(page.lines, (lines) =>
      lines.some((line) => line.includes('"Order"') && line.includes('9007199254740993')),
    );
    await page.screenshot('digits-line');
  });

  it('is the same in the debugger', async () => {
    await run(v.unknown(), 'execution.debug', { executionId: ids[1] });
    await untilFrames('Start', 'Orders');
    await vscode.commands.executeCommand('workbench.action.debug.stepOver');
    await untilFrames('Order', 'Orders');
    await until(
      async () =>
        (await page.texts('.debug-variables .monaco-list-row')).map((row) => row.replace(/\s+/g, ' ')),
      (rows) => rows.includes('output = 9007199254740993'),
    );
    await page.screenshot('digits-debugger');
  });

  it('is a difference in a comparison, and equal numbers are none', async () => {
    await run(v.unknown(), 'execution.compare', { executionId: ids[0], otherExecutionId: ids[1] });
    const editor = await until(
      () => vscode.window.activeTextEditor,
      (found) => found?.document.languageId === 'workflow-comparison',
    );
    const text = await until(
      () => editor?.document.getText() ?? '',
      (found) => found.includes('9007199254740993'),
    );
    assert.ok(text.includes('9007199254740992'), text);
    assert.ok(!text.includes('.rate') && !text.includes('.huge'), text);
    await page.screenshot('digits-comparison');
  });
});
