// An author reads on the definition itself how the latest execution went, and finds the node that failed in Problems.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, listExecutions, run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { clickLens, lensLink, pressLens } from './lenses.ts';
import { hasPage, page, requirePage } from './page.ts';
import { drawnLenses, lensesOf, lineOf, openDefinition } from './inlineDefinition.ts';
import { until } from './until.ts';

const good = { name: 'Ada', email: 'ada@example.com', age: 36 };
const bad = { ...good, email: 'ada.example.com' };

const problemsOf = ({ uri }: vscode.TextDocument) =>
  vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, message }) => source === 'Workflows' && message.includes('execution'));

describe('an opened definition', () => {
  let service: OwnService;
  let connectionId: string;
  let document: vscode.TextDocument;
  let workflowId: string;
  let failedId = '';

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Inline', service);
    workflowId = (await findWorkflow('Signup check')).id;
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await vscode.commands.executeCommand('workflowAutomation.workflows.focus');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('says that its workflow was not executed yet', async function () {
    document = await openDefinition(workflowId);
    await until(
      () => lensesOf(document),
      (lenses) => lenses[0] === '0: Not executed yet' && lenses.every((lens) => lens.startsWith('0: ')),
    );
    assert.deepEqual(problemsOf(document), []);
    requirePage(this);
    await until(drawnLenses, (texts) => texts.some((text) => text.includes('Not executed yet')));
  });

  it('shows how each node came out, and marks the one that failed', async () => {
    const { executionId } = await execute(workflowId, bad);
    assert.ok(executionId);
    failedId = executionId;
    const refused = `${lineOf(document, 'refuse')}: Node Run`;
    const ended = `0: $(error) Latest execution ${executionId.slice(-6)}: failed · `;
    const ran = ['signup', 'problems', 'pause', 'acceptable'].map(
      (nodeId) => `${lineOf(document, nodeId)}: Node Run`,
    );
    const lenses = await until(
      () => lensesOf(document),
      (all) =>
        all[0]?.startsWith(ended) === true &&
        all.some((lens) => lens.startsWith(refused)) &&
        ran.every((lens) => all.includes(lens)),
    );
    assert.ok(!lenses.some((lens) => lens.startsWith(`${lineOf(document, 'account')}: `)));
    const [problem, ...others] = await until(
      () => problemsOf(document),
      (all) => all.length > 0,
    );
    assert.equal(document.getText(problem?.range), '"Refuse"');
    assert.match(problem?.message ?? '', /failed in the latest execution: .*is not a valid email address/);
    assert.deepEqual(others, []);
  });

  it('has all this on the screen, and a click on a node opens its run', async function () {
    requirePage(this);
    await vscode.window.showTextDocument(document);
    // What takes the focus from the editor takes back a redraw that is due.
    await until(drawnLenses, (texts) => texts.some((text) => text.includes('Latest execution')));
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    await page.waitFor('.markers-panel .monaco-list-row:has-text("failed in the latest execution")');
    await page.screenshot('inline-failed');
    const editor = await vscode.window.showTextDocument(document);
    const line = lineOf(document, 'refuse');
    editor.revealRange(new vscode.Range(line, 0, line + 5, 0), vscode.TextEditorRevealType.InCenter);
    await until(page.lines, (lines) =>
      lines.some((text) => /"Refuse",✗ failed · .*is not a valid email/.test(text)),
    );
    await page.screenshot('inline-node');
    await pressLens(document, 'Node Run');
    await until(
      () => vscode.window.activeTextEditor?.document.uri.scheme,
      (scheme) => scheme === 'workflow-execution',
    );
  });

  it("doesn't mark a node that had another type in the execution", async function () {
    const at = document.getText().indexOf('"fail"');
    assert.ok(at > 0);
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + '"fail"'.length));
    await replaceOnce(document, '"fail"', '"log"');
    await until(
      () => problemsOf(document),
      (all) => all.length === 0,
    );
    const editor = await vscode.window.showTextDocument(document);
    if (hasPage) {
      editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
      await until(page.lines, (lines) =>
        lines.some((text) => text.endsWith('"Refuse",had a different type in this execution')),
      );
      await page.screenshot('inline-other-type');
    }
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(
      () => problemsOf(document),
      (all) => all.length === 1,
    );
  });

  it('shows the failure that was opened instead of the latest execution, until that is wanted again', async function () {
    const firstLens = (fits: (lens: string) => boolean) =>
      until(
        () => lensesOf(document),
        ([lens]) => lens !== undefined && fits(lens),
      );
    await execute(workflowId, good);
    await firstLens((lens) => /Latest execution \S+: completed/.test(lens));
    await run(v.string(), 'execution.openFailedNode', { executionId: failedId });
    await firstLens((lens) => lens.startsWith(`0: $(error) Execution ${failedId.slice(-6)}: failed · `));
    const [problem] = await until(
      () => problemsOf(document),
      (all) => all.length > 0,
    );
    assert.match(
      problem?.message ?? '',
      new RegExp(`^This node failed in the execution ${failedId.slice(-6)}: `),
    );
    const { executionId: newer } = await execute(workflowId, good);
    await until(
      () => listExecutions({ workflowId }),
      (all) => all.some(({ id, status }) => id === newer && status === 'completed'),
    );
    await firstLens((lens) => lens.includes(`Execution ${failedId.slice(-6)}: failed`));
    await run(v.unknown(), 'workflow.showLatestExecution', { workflowId });
    await firstLens((lens) => /Latest execution \S+: completed/.test(lens));
    await until(
      () => problemsOf(document),
      (all) => all.length === 0,
    );
    const shown = await run(v.object({ executionId: v.string() }), 'workflow.chooseExecution', {
      workflowId,
      executionId: failedId,
    });
    assert.deepEqual(shown, { executionId: failedId });
    await firstLens((lens) => lens.includes(`Execution ${failedId.slice(-6)}: failed`));
    requirePage(this);
    await vscode.window.showTextDocument(document);
    // To the lens above the first line, which revealing that line can leave out of sight.
    await vscode.commands.executeCommand('scrollEditorTop');
    await page.waitFor(lensLink('Show Latest'));
    await page.screenshot('inline-chosen');
    await clickLens(lensLink('Show Latest'), async () =>
      (await lensesOf(document)).some((lens) => /Latest execution \S+: completed/.test(lens)),
    );
  });
});
