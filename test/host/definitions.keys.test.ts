// The author's loop with keys: a definition is executed, its input and its executions are reached, and rows are opened and renamed.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, findWorkflow, listExecutions, listWorkflows, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import {
  choose,
  focusRow,
  foldAll,
  giveRoom,
  runInPalette,
  untilAsked,
  untilRow,
  write,
} from './keyboard.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const views = [view, 'workflowAutomation.executions', 'workflowAutomation.portalEvents'];
const name = 'Order totals';
const question = 'The definition has been edited since it was deployed';

const inFront = (): string => vscode.window.activeTextEditor?.document.uri.toString() ?? '';
const titleButton = (label: string): string =>
  `.editor-actions .action-label[aria-label^=${JSON.stringify(label)}]`;

async function untilInFront(ending: string): Promise<void> {
  await until(inFront, (uri) => vscode.Uri.parse(uri).path.endsWith(ending));
}

describe('the keys of an author', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let definition: vscode.TextDocument;

  const executed = async (count: number): Promise<void> => {
    await until(
      () => listExecutions({ workflowId }),
      (all) => all.length === count && all.every(({ status }) => status === 'completed'),
    );
  };
  const showDefinition = async (): Promise<void> => {
    await vscode.window.showTextDocument(definition, { preview: false });
    await page.waitFor('.editor-instance .monaco-editor.focused');
  };

  before(async function () {
    requirePage(this);
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Keys', service);
    workflowId = (await findWorkflow(name)).id;
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await giveRoom(view, views);
    const uri = await run(v.string(), 'workflow.open', { workflowId });
    definition = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('Ctrl+Enter on a definition opens the input where none was used yet, and executes from there', async () => {
    await showDefinition();
    await page.screenshot('definition-lenses');
    await page.press('Control+Enter');
    await untilInFront(`${name}.input.json`);
    await page.waitFor('.editor-instance .monaco-editor.focused');
    await page.press('Control+Enter');
    await executed(1);
  });

  it('Ctrl+Enter on a deployed definition executes it with that input, and asks nothing', async () => {
    await showDefinition();
    await page.press('Control+Enter');
    await executed(2);
  });

  it('Ctrl+Enter on an edited definition asks one question: deploy it first, or execute what is deployed', async () => {
    await showDefinition();
    await replaceOnce(definition, '"maxItems": 100', '"maxItems": 90');
    assert.ok(await definition.save());
    await page.press('Control+Enter');
    await choose(question, 'Execute Deployed Version');
    await executed(3);
    await showDefinition();
    await page.press('Control+Enter');
    await choose(question, 'Deploy and Execute');
    await executed(4);
    await until(
      () => page.rows(view),
      (rows) =>
        rows.some(({ label, accessibleName }) => label === name && !accessibleName.includes('edited')),
    );
  });

  it('the palette acts on the workflow of the definition in front', async () => {
    await showDefinition();
    await runInPalette('Workflows: Open Input');
    await untilInFront(`${name}.input.json`);
    await runInPalette('Workflows: Open Definition');
    await untilInFront(`${name}.workflow.json`);
  });

  it('the documents of an execution lead to each other, from their titles and from the palette', async () => {
    const [execution] = await listExecutions({ workflowId });
    assert.ok(execution);
    await run(v.unknown(), 'execution.openOutput', { executionId: execution.id });
    await page.waitFor(titleButton('Open Execution Log'));
    assert.deepEqual(await page.texts(titleButton('Open Execution Output')), []);
    await page.screenshot('execution-title');
    await clickUntil(titleButton('Open Execution Log'), () => inFront().includes('.log'));
    await untilInFront('.log');
    await page.waitFor(titleButton('Open Execution Output'));
    assert.deepEqual(await page.texts(titleButton('Open Execution Log')), []);
    await runInPalette('Workflows: Open Execution Timeline');
    await untilInFront('timeline.txt');
  });

  it('the row of a duplicate is selected and in sight', async () => {
    await showDefinition();
    await untilAsked('Name of the copy', () => runInPalette('Workflows: Duplicate Workflow…'));
    await write('Name of the copy', 'Order totals again');
    await page.waitFor(`${viewSelector(view)} .monaco-list-row.selected:has-text("Order totals again")`);
    const copy = await findWorkflow('Order totals again');
    await run(v.unknown(), 'workflow.delete', { workflowId: copy.id });
  });

  it('Enter opens the focused row, Ctrl+Enter leads to its input, and F2 renames it, also when another one is selected', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await foldAll(view);
    await page.click(`${viewSelector(view)} .monaco-list-row:has-text("Signup check") .label-name`);
    await focusRow(view, 'Support triage');
    await page.press('Enter');
    await untilInFront('Support triage.workflow.json');
    await focusRow(view, 'Support triage');
    await page.press('Control+Enter');
    await untilInFront('Support triage.input.json');
    await focusRow(view, 'Support triage');
    await page.press('F2');
    await write('New name of the workflow', 'Desk triage');
    await untilRow(view, 'Desk triage');
    const names = (await listWorkflows()).map((workflow) => workflow.name).sort();
    assert.deepEqual(names, ['Desk triage', name, 'Signup check']);
  });
});
