// A node failed and its error branch led on: everywhere it's said that the failure was handled, and what ended the execution comes first.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, run } from './commands.ts';
import { node } from './graphPage.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const Imported = v.object({ workflowId: v.string() });

/** A loop in which an amount that is no number is said to be one, and a check that can end the execution. */
const definition = {
  name: 'Amounts',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'Each amount', type: 'forEach', config: { items: 'input.amounts' } },
    { id: 'read', name: 'Read amount', type: 'transform', config: { expression: '$number(item)' } },
    { id: 'note', name: 'Note', type: 'log', config: { message: 'No amount: {{ item }}' } },
    { id: 'total', name: 'Total', type: 'transform', config: { expression: '$number(input.total)' } },
    { id: 'guess', name: 'Guess', type: 'transform', config: { expression: '$number(input.guess)' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'read', branch: 'each' },
    { source: 'read', target: 'note', branch: 'error' },
    { source: 'each', target: 'total', branch: 'done' },
    { source: 'total', target: 'guess', branch: 'error' },
  ],
};

describe('a failure that was handled', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let uri: vscode.Uri;

  const executeTo = async (input: object, status: string): Promise<string> => {
    const { executionId = '' } = await execute(workflowId, input);
    await until(
      () => run(v.array(v.object({ id: v.string(), status: v.string() })), 'execution.list', { workflowId }),
      (all) => all.some((each) => each.id === executionId && each.status === status),
    );
    return executionId;
  };
  const problems = () =>
    vscode.languages.getDiagnostics(uri).map(({ message, severity }) => [severity, message]);

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '10000');
    connectionId = await connect('Amounts', service);
    await vscode.commands.executeCommand('workflowAutomation.connection.switch', { connectionId });
    await vscode.commands.executeCommand(`${view}.focus`);
    ({ workflowId } = await run(Imported, 'workflow.import', { definition }));
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('counts as no failed iteration, and its row, node and timeline say "handled"', async () => {
    const executionId = await executeTo(
      { amounts: ['1', 'two', '3'], total: 'none', guess: '4' },
      'completed',
    );
    uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
    const found = await until(problems, (all) => all.length === 2);
    assert.deepEqual(
      found.map(([severity]) => severity),
      [vscode.DiagnosticSeverity.Information, vscode.DiagnosticSeverity.Information],
    );
    assert.match(String(found[0]?.[1]), /^This node failed in the latest execution \(handled, 1 of 3\): /);
    await run(v.unknown(), 'execution.showInGraph', { executionId });
    await page.waitFor(node('total', 'data-state="handled"'));
    await page.waitFor(`${viewSelector(view)} .monaco-list-row[aria-label*="Total, failed (handled)"]`);
    await page.waitFor(
      `${viewSelector(view)} .monaco-list-row[aria-label*="Each amount, completed, 3 iterations"]`,
    );
    await page.screenshot('handled-failure');
    const timeline = await run(v.string(), 'execution.openTimeline', { executionId });
    const { document } = await vscode.window.showTextDocument(vscode.Uri.parse(timeline, true));
    await until(
      () => document.getText(),
      (text) => / {2}failed \(handled\) .* Total: /.test(text),
    );
    await page.screenshot('handled-failure-timeline');
  });

  it('gives way to the one that ended the execution', async () => {
    const executionId = await executeTo({ amounts: ['two'], total: 'none', guess: 'also none' }, 'failed');
    await run(v.unknown(), 'execution.openFailedNode', { executionId });
    await until(
      () => vscode.window.activeTextEditor?.document.getText(vscode.window.activeTextEditor.selection) ?? '',
      (text) => text === '"Guess"',
    );
    await until(
      () => problems().map(([severity]) => severity === vscode.DiagnosticSeverity.Error),
      (areErrors) => areErrors.join() === 'false,false,true',
    );
    await page.screenshot('handled-failure-before-another');
  });
});
