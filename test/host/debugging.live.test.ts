// An execution that still runs is stepped through as it goes on, in VS Code's own debugger.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { pressInEditor, stopDebugging, untilFrames, untilSessionEnds } from './callStack.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { type Gate, openGate } from './gate.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const definitionOf = (port: number) => ({
  name: 'Shipping',
  nodes: [
    { id: 'start', name: 'Order placed', type: 'trigger', config: {} },
    {
      id: 'book',
      name: 'Book carrier',
      type: 'httpRequest',
      config: { method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 120_000 },
    },
    { id: 'label', name: 'Print label', type: 'transform', config: { expression: '"label"' } },
    { id: 'end', name: 'Shipped', type: 'output', config: { expression: 'nodes.label' } },
  ],
  edges: [
    { source: 'start', target: 'book' },
    { source: 'book', target: 'label' },
    { source: 'label', target: 'end' },
  ],
});

const running = '.call-stack-state-message:has-text("Running")';

describe('debugging an execution that runs', () => {
  let gate: Gate;
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;

  before(async function () {
    requirePage(this);
    gate = await openGate();
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Live', service);
    const definition = definitionOf(gate.port);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await stopDebugging();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    await gate.close();
  });

  /** Begins an execution whose carrier doesn't answer yet, and goes on to that node. */
  const debugToPresent = async (): Promise<void> => {
    await execute(workflowId, {});
    const [execution] = await until(
      () => listExecutions({ workflowId }),
      ([latest]) => latest?.status === 'running',
    );
    await run(v.unknown(), 'execution.debug', { executionId: execution?.id });
    await untilFrames('Order placed', 'Shipping');
    await pressInEditor('F5');
    await page.waitFor(running);
  };

  const pause = async (): Promise<void> => {
    await pressInEditor('F6');
    await until(
      () => page.notifications(),
      (all) => all.includes('Waiting for the next node run'),
    );
  };

  it('goes on as its nodes run, to a breakpoint of a node by its id, and ends with it', async () => {
    vscode.debug.addBreakpoints([new vscode.FunctionBreakpoint('label')]);
    await debugToPresent();
    await page.screenshot('debug-running');
    await gate.letThrough(200);
    await untilFrames('Print label', 'Shipping');
    await page.screenshot('debug-function-breakpoint');
    await pressInEditor('F5');
    await untilSessionEnds();
  });

  it('pauses at the next node run, and at the last one so far when asked twice', async () => {
    await debugToPresent();
    await pause();
    await page.screenshot('debug-pausing');
    const cancel = '.notifications-center .monaco-button:has-text("Cancel")';
    await clickUntil(cancel, async () => !(await page.isThere(cancel)));
    await untilFrames('Book carrier', 'Shipping');
    await pressInEditor('F5');
    await page.waitFor(running);
    await pause();
    await gate.letThrough(200);
    await untilFrames('Print label', 'Shipping');
  });

  it('stops at a node that fails, and says why', async () => {
    await debugToPresent();
    await gate.letThrough(500);
    await untilFrames('Book carrier', 'Shipping');
    const text = await page.text('.exception-widget');
    assert.match(text, /500/);
    await page.screenshot('debug-live-failure');
  });
});
