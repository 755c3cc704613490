// An execution is stepped through in both directions with the keys and views of the editor's own debugger.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { focusDebugConsole, pressInEditor, stopDebugging, untilFrames } from './callStack.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { node as nodeInGraph } from './graphPage.ts';
import { choose } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const definition = {
  name: 'Stock',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'each', name: 'For each order', type: 'forEach', config: { items: 'input.orders' } },
    { id: 'double', name: 'Double', type: 'transform', config: { expression: 'item * 2' } },
    {
      id: 'check',
      name: 'Check',
      type: 'transform',
      config: { expression: '$number(nodes.double) > 0 ? item : $error("No stock.")' },
    },
    { id: 'end', name: 'End', type: 'output', config: { expression: 'nodes.each' } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'double', branch: 'each' },
    { source: 'double', target: 'check' },
    { source: 'each', target: 'end', branch: 'done' },
  ],
};

describe('debugging an execution', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  const stop = async (): Promise<void> => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await stopDebugging();
  };
  const latest = async (): Promise<string> => (await listExecutions({ workflowId }))[0]?.id ?? assert.fail();
  /** What still runs is debugged from its start on. */
  const executeTo = async (status: string, orders: readonly number[]): Promise<string> => {
    const { executionId = '' } = await execute(workflowId, { orders });
    await until(
      () => listExecutions({ workflowId }),
      (all) => all.some((each) => each.id === executionId && each.status === status),
    );
    return executionId;
  };

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Debugging', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
  });
  afterEach(stop);
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  /** The line of a node in the definition's document. */
  const placeOf = async (nodeId: string): Promise<vscode.Location> => {
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }));
    const document = await vscode.workspace.openTextDocument(uri);
    const at = document.positionAt(document.getText().indexOf(`"id": "${nodeId}"`));
    return new vscode.Location(uri, at);
  };

  it('begins at the failure, steps back, and evaluates there', async () => {
    const orders = Array.from({ length: 12 }, (_, index) => (index === 6 ? 0 : index + 1));
    const executionId = await executeTo('failed', orders);
    assert.deepEqual(await run(v.unknown(), 'execution.debug', { executionId }), {});
    await untilFrames('Check', 'For each order · iteration 7 of 12', 'Stock');
    await page.screenshot('debug-failure');
    await vscode.commands.executeCommand('workbench.action.debug.stepBack');
    await untilFrames('Double', 'For each order · iteration 7 of 12', 'Stock');
    await focusDebugConsole();
    await page.type('nodes.st');
    await page.waitFor('.suggest-widget.visible .monaco-list-row:has-text("start")');
    await page.press('Escape');
    await page.press('Control+A');
    await page.enter('{"item": item, "at": index}');
    await page.press('Enter');
    await page.waitFor('.repl .expression:has-text("\\"at\\"")');
    await page.screenshot('debug-console');
  });

  it('shows the value of what the pointer rests on', async () => {
    await run(v.unknown(), 'execution.debug', { executionId: await latest() });
    await untilFrames('Check', 'For each order · iteration 7 of 12', 'Stock');
    const { uri, range } = await placeOf('double');
    const editor = await vscode.window.showTextDocument(uri);
    const at = editor.document.positionAt(editor.document.getText().indexOf('item * 2') + 1);
    assert.ok(at.isAfter(range.start));
    // The editor shows the place of the frame a moment after the frame, and then the cursor is there.
    await until(async () => {
      await vscode.window.showTextDocument(editor.document, { selection: new vscode.Range(at, at) });
      await vscode.commands.executeCommand('editor.debug.action.showDebugHover');
      return page.appears('.debug-hover-widget:has-text("0")');
    }, Boolean);
    await page.screenshot('debug-hover');
  });

  it('goes on in a new execution when a frame is restarted', async () => {
    const executionId = await latest();
    await run(v.unknown(), 'execution.debug', { executionId });
    await untilFrames('Check', 'For each order · iteration 7 of 12', 'Stock');
    await vscode.commands.executeCommand('workflowAutomation.graph.focus');
    for (const [name, nodeId] of [
      ['For each order', 'each'],
      ['Check', 'check'],
    ] as const)
      await clickUntil(`.debug-call-stack .stack-frame:has-text("${name}")`, () =>
        page.isThere(nodeInGraph(nodeId, 'aria-selected="true"')),
      );
    await page.hover('.debug-call-stack .stack-frame:has-text("Check")');
    await page.screenshot('debug-restart');
    await page.click('.debug-call-stack .stack-frame:has-text("Check") .codicon-debug-restart-frame');
    await choose('Retry from "Check"?', 'Retry from Here');
    const retry = await until(latest, (id) => id !== executionId);
    await until(
      () => vscode.debug.activeDebugSession?.configuration['executionId'] as unknown,
      (id) => id === retry,
    );
    await untilFrames('Check', 'For each order · iteration 7 of 12', 'Stock');
  });

  it('starts from a launch configuration that names a workflow', async () => {
    const configuration = { type: 'workflow', request: 'launch', name: 'Latest failure', workflow: 'Stock' };
    const isStarted = await vscode.debug.startDebugging(undefined, {
      ...configuration,
      execution: 'latestFailed',
    });
    assert.equal(isStarted, true);
    await untilFrames('Check', 'For each order · iteration 7 of 12', 'Stock');
    const none = { ...configuration, workflow: 'Nothing' };
    assert.equal(await vscode.debug.startDebugging(undefined, none), false);
    await until(
      () => page.notifications(),
      (all) => all.includes('No workflow has the name or ID "Nothing".'),
    );
  });

  it('goes through a loop of 12 in both directions', async () => {
    const orders = Array.from({ length: 12 }, (_, index) => index + 1);
    const executionId = await executeTo('completed', orders);
    const place = new vscode.SourceBreakpoint(await placeOf('double'), true, 'index % 5 = 0');
    vscode.debug.addBreakpoints([place]);
    await run(v.unknown(), 'execution.debug', { executionId });
    await untilFrames('Start', 'Stock');
    for (const iteration of [1, 6, 11]) {
      await pressInEditor('F5');
      await untilFrames('Double', `For each order · iteration ${iteration} of 12`, 'Stock');
    }
    await vscode.commands.executeCommand('workbench.action.debug.reverseContinue');
    await untilFrames('Double', 'For each order · iteration 6 of 12', 'Stock');
    await pressInEditor('F10');
    await untilFrames('Check', 'For each order · iteration 6 of 12', 'Stock');
    await page.screenshot('debug-loop');
  });

  it('leaves the definition as it was once it ends', async () => {
    const says = (words: string) =>
      until(page.lines, (lines) => lines.some((line) => line.includes('"Check"') && line.includes(words)));
    const [, ...older] = await listExecutions({ workflowId });
    await vscode.window.showTextDocument((await placeOf('check')).uri);
    await says('completed');
    await run(v.unknown(), 'execution.debug', { executionId: older[0]?.id ?? assert.fail() });
    await says('failed');
    await vscode.debug.stopDebugging();
    await says('completed');
  });
});
