// What VS Code's own views show of a stopped session: variables, watched expressions, and the lines of log points.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { focusDebugConsole, pressInEditor, stopDebugging, untilFrames } from './callStack.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { openDefinition, lineOf } from './inlineDefinition.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const definition = {
  name: 'Invoices',
  nodes: [
    { id: 'start', name: 'Orders received', type: 'trigger', config: {} },
    { id: 'each', name: 'For each order', type: 'forEach', config: { items: 'input.orders' } },
    { id: 'price', name: 'Price', type: 'transform', config: { expression: 'item * 2' } },
    // Over 256 KiB, and made at once: what takes its time to make fails on a busy machine.
    {
      id: 'archive',
      name: 'Archive',
      type: 'transform',
      config: { expression: '[1000000000000000..1000000000016000]' },
    },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'price', branch: 'each' },
    { source: 'each', target: 'archive', branch: 'done' },
  ],
};
const loop = (iteration: number) => `For each order · iteration ${iteration} of 12`;

describe('the views of a debug session', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let executionId: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Views', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, { orders: Array.from({ length: 12 }, (_, index) => index + 1) });
    const [execution] = await until(
      () => listExecutions({ workflowId }),
      ([latest]) => latest?.status === 'completed',
    );
    executionId = execution?.id ?? assert.fail();
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await stopDebugging();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.debug.viewlet.action.removeAllWatchExpressions');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  const breakAt = async (nodeId: string, hitCondition?: string, logMessage?: string): Promise<void> => {
    const document = await openDefinition(workflowId);
    const place = new vscode.Location(document.uri, new vscode.Position(lineOf(document, nodeId), 0));
    const breakpoint = new vscode.SourceBreakpoint(place, true, undefined, hitCondition, logMessage);
    vscode.debug.addBreakpoints([breakpoint]);
  };
  const rowsOf = async (list: string) =>
    (await page.texts(`${list} .monaco-list-row`)).map((row) => row.replace(/\s+/g, ' '));
  /** Waits until the list has these rows, perhaps among others. */
  const untilRows = (list: string, ...wanted: readonly string[]) =>
    until(
      () => rowsOf(list),
      (rows) => wanted.every((row) => rows.includes(row)),
    );
  /** Unfolds a variable until what is below is there: a list that is drawn anew loses a click. */
  const unfold = (name: string, below: string) =>
    until(
      async () => {
        const folded = `.monaco-list-row[aria-expanded="false"]:has-text("${name}")`;
        await page.clickIfThere(`.debug-variables ${folded} .monaco-tl-twistie.collapsible`);
        return rowsOf('.debug-variables');
      },
      (rows) => rows.some((row) => row.startsWith(below)),
    );

  it('show the values of each stop, and the lines of log points between stops', async () => {
    await breakAt('price', '% 5');
    await breakAt('each', undefined, 'order {input.orders[0]}');
    await run(v.unknown(), 'execution.debug', { executionId });
    await untilFrames('Orders received', 'Invoices');
    await vscode.commands.executeCommand('workbench.debug.viewlet.action.addWatchExpression');
    await page.enter('item + index');
    await page.press('Enter');
    await pressInEditor('F5');
    await untilFrames('Price', loop(5), 'Invoices');
    await untilRows('.debug-watch', 'item + index = 9');
    await untilRows('.debug-variables', 'state = completed', 'attempt = 1', 'input = 5', 'output = 10');
    await unfold('Scope', 'item');
    await untilRows('.debug-variables', 'nodes = 1 node', 'item = 5', 'index = 4');
    await focusDebugConsole();
    await untilRows('.repl', 'order 1 Invoices.workflow.json:13');
    await page.screenshot('debug-views');
    await pressInEditor('F5');
    await untilFrames('Price', loop(10), 'Invoices');
    await untilRows('.debug-watch', 'item + index = 19');
    await untilRows('.debug-variables', 'output = 20', 'item = 10');
  });

  it('read a value whole, in parts, that the service had cut', async () => {
    await breakAt('archive');
    await run(v.unknown(), 'execution.debug', { executionId });
    await untilFrames('Orders received', 'Invoices');
    await pressInEditor('F5');
    await untilFrames('Archive', 'Invoices');
    // The list is drawn anew while the values come, and a click in that moment is lost.
    await until(
      async () => {
        await page.clickIfThere('.debug-variables .monaco-list-row:has-text("output") .lazy-button');
        return rowsOf('.debug-variables');
      },
      (rows) => rows.some((row) => row.startsWith('[0..')),
    );
    await unfold('[0..9999]', '[0..99]');
    await unfold('[0..99]', '0 =');
    await untilRows('.debug-variables', '0 = 1000000000000000');
    await page.screenshot('debug-whole');
  });
});
