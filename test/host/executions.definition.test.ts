// What an execution ran is shown as it ran, on each kind of service, though its definition has changed since or is gone.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { stopDebugging, untilFrames } from './callStack.ts';
import { connect, disconnect, execute, listExecutions, run } from './commands.ts';
import { node } from './graphPage.ts';
import { choose, runInPalette, runOnRow, untilAsked, untilRow } from './keyboard.ts';
import { startOwnN8n } from './ownN8n.ts';
import { startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
/** The log would be revealed over the graph. */
const revealLogs = (value: boolean | undefined) =>
  vscode.workspace
    .getConfiguration('workflowAutomation')
    .update('logs.revealOnExecute', value, vscode.ConfigurationTarget.Global);
const shownText = () => vscode.window.activeTextEditor?.document.getText() ?? '';
const hasText = (part: string): Promise<unknown> => until(shownText, (text) => text.includes(part));

/** A workflow that was executed, whose only node is another one since. */
interface Executed {
  readonly workflowId: string;
  readonly executionId: string;
  stop(): Promise<void>;
}

async function untilCompleted(workflowId: string): Promise<string> {
  const [first] = await until(
    () => listExecutions({ workflowId }),
    ([newest]) => newest?.status === 'completed',
  );
  return first?.id ?? assert.fail();
}

async function onLocalService(): Promise<Executed> {
  const service = await startOwnService('--requests-per-minute', '1000');
  const connectionId = await connect('Changing', service);
  const definitionWith = (id: string) => ({
    name: 'Changing',
    nodes: [{ id, name: id, type: 'trigger', config: {} }],
    edges: [],
  });
  const { workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', {
    definition: definitionWith('Items'),
  });
  await run(v.unknown(), 'workflow.deploy', { workflowId });
  await execute(workflowId, {});
  const executionId = await untilCompleted(workflowId);
  const { ok } = await fetch(`${service.baseUrl}/workflows/${workflowId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ nodes: definitionWith('Things').nodes }),
  });
  assert.ok(ok);
  return {
    workflowId,
    executionId,
    stop: async () => {
      await disconnect(connectionId);
      await service.stop();
    },
  };
}

async function onN8n(): Promise<Executed> {
  const own = await startOwnN8n();
  await own.connect();
  const { n8n } = own;
  n8n.play = ({ id }) => n8n.end(id, 'success');
  const contentWith = (name: string) => ({
    name: 'Changing',
    nodes: [
      { id: 'n1', name, type: 'n8n-nodes-base.webhook', parameters: { path: 'in', httpMethod: 'POST' } },
    ],
    connections: {},
    settings: {},
  });
  const workflow = n8n.addWorkflow(contentWith('Items'));
  n8n.activate(workflow);
  workflow.lag = 0;
  await run(v.unknown(), 'workflow.list', {});
  await execute(workflow.id, {});
  const executionId = await untilCompleted(workflow.id);
  n8n.replace(workflow, contentWith('Things'), false);
  return { workflowId: workflow.id, executionId, stop: () => own.stop() };
}

for (const [service, start] of [
  ['the local service', onLocalService],
  ['an n8n', onN8n],
] as const)
  describe(`what an execution ran on ${service}`, () => {
    let workflowId: string;
    let executionId: string;
    let executed: Executed;

    before(async function () {
      requirePage(this);
      await revealLogs(false);
      executed = await start();
      ({ workflowId, executionId } = executed);
      await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    });
    afterEach(async () => {
      await stopDebugging();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
    after(async () => {
      await revealLogs(undefined);
      await executed.stop();
    });

    it('is what the graph draws', async () => {
      await run(v.unknown(), 'workflow.showGraph', { workflowId });
      await page.waitFor(node('Items', 'data-state="completed"'));
    });

    it('is beside the text of the definition, whose new nodes are marked', async () => {
      await run(v.unknown(), 'workflow.open', { workflowId });
      await page.waitFor(`${node('Things')}:has-text("added since this execution")`);
      await page.screenshot('graph-added-since');
    });

    it('opens from its row, and from the palette', async () => {
      await vscode.commands.executeCommand(`${view}.focus`);
      await untilRow(view, 'Changing');
      await runOnRow(view, 'Changing', 'Open Definition That Execution Ran', 'Open');
      await hasText('"name": "Items"');
      await page.screenshot('ran-definition');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await untilAsked('Select an execution', () =>
        runInPalette('Workflows: Open Definition That Execution Ran'),
      );
      await choose('Select an execution', 'Changing');
      await hasText('"name": "Items"');
    });

    it('is where its debugger stops, also once the workflow is deleted', async () => {
      for (const isDeleted of [false, true]) {
        if (isDeleted) await run(v.unknown(), 'workflow.delete', { workflowId });
        await run(v.unknown(), 'execution.debug', { executionId });
        await untilFrames('Items', isDeleted ? 'Changing (deleted)' : 'Changing');
        await hasText('"name": "Items"');
        await stopDebugging();
      }
      await page.screenshot('ran-definition-debugged');
    });
  });
