// A comparison says what differs first, leads to each node run, and leaves out what the user doesn't want to see, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, findWorkflow, listExecutions, run } from './commands.ts';
import { runInPalette } from './keyboard.ts';
import { lensLink, pressLens } from './lenses.ts';
import { type OwnService, quickenSamples, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

const good = { name: 'Ada', email: 'ada@example.com', age: 36 };
const bad = { ...good, email: 'ada.example.com' };
const Uris = v.array(v.string());

/** The execution's own input, which differs. */
const wholeField = /The execution as a whole\n[^]*\n {2}input\.email\n/;

const configuration = () => vscode.workspace.getConfiguration('workflowAutomation');
const ignoredFields = (): readonly string[] =>
  configuration().get<readonly string[]>('comparison.ignoredFields') ?? [];

/** The comparison in front. */
async function comparisonInFront(): Promise<vscode.TextEditor> {
  await until(
    () => vscode.window.activeTextEditor?.document.languageId,
    (language) => language === 'workflow-comparison',
  );
  return vscode.window.activeTextEditor ?? assert.fail('Nothing is in front.');
}

const untilText = (document: vscode.TextDocument, isWanted: (text: string) => boolean) =>
  until(() => document.getText(), isWanted);

describe('a comparison of executions', () => {
  let service: OwnService;
  let connectionId: string;
  let success: string;
  let failure: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    await quickenSamples(service);
    connectionId = await connect('Comparisons', service);
    const { id: workflowId } = await findWorkflow('Signup check');
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await configuration().update('logs.revealOnExecute', false, vscode.ConfigurationTarget.Global);
    success = (await execute(workflowId, good)).executionId ?? assert.fail('No execution is known.');
    failure = (await execute(workflowId, bad)).executionId ?? assert.fail('No execution is known.');
    await until(
      () => listExecutions({ workflowId }),
      (all) => all.filter(({ status }) => status === 'completed' || status === 'failed').length === 2,
    );
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  beforeEach(async () => {
    await run(Uris, 'execution.compareWithLastSuccess', { executionId: failure });
  });
  afterEach(async () => {
    await configuration().update('comparison.ignoredFields', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await configuration().update('logs.revealOnExecute', undefined, vscode.ConfigurationTarget.Global);
    await disconnect(connectionId);
    await service.stop();
  });

  it('says both executions, the first node that differs, and where', async function () {
    const { document } = await comparisonInFront();
    const text = document.getText();
    assert.match(
      text,
      /^Signup check · differing node runs: \d of \d\n\n< left +completed .*\n> right +failed /,
    );
    assert.match(
      text,
      /First difference\n≠ Signup received\n {2}input\.email\n {4}< "ada@example.com"\n {4}> "ada.example.com"\n/,
    );
    assert.match(text, /^≠ Refuse\n {2}status\n {4}< "skipped"\n {4}> "failed"\n {2}error\.message\n/m);
    assert.ok(text.includes(success) && text.includes(failure));
    await until(
      () =>
        vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
          'vscode.executeDocumentSymbolProvider',
          document.uri,
        ),
      ([section]) => section?.children[0]?.name === 'Signup received',
    );
    requirePage(this);
    await page.waitFor(lensLink('Open Diff'));
    await page.screenshot('comparison');
  });

  it('leads to the diff of both whole values, to node runs and to the definition', async () => {
    const { document } = await comparisonInFront();
    await pressLens(document, 'Open Left');
    await until(
      () => vscode.window.activeTextEditor?.document.uri.query ?? '',
      (query) => query.includes(success) && query.includes('part=node'),
    );
    await pressLens(document, 'Reveal Node in Definition');
    await until(
      () => vscode.window.activeTextEditor?.document.uri.scheme,
      (scheme) => scheme === 'workflow-definition',
    );
    await pressLens(document, 'Open Diff');
    const input = await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.input,
      (shown) => shown instanceof vscode.TabInputTextDiff,
    );
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.ok(input.original.query.includes(success) && input.modified.query.includes(failure));
  });

  it('leads from the line with the cursor to its node', async function () {
    requirePage(this);
    const editor = await comparisonInFront();
    await goBehind(editor, '≠ Refuse');
    await vscode.commands.executeCommand('workflowAutomation.nodeRun.revealInDefinition');
    await until(
      () => {
        const front = vscode.window.activeTextEditor;
        return front?.document.uri.scheme === 'workflow-definition'
          ? front.document.getText(front.selection)
          : '';
      },
      (selected) => selected === '"Refuse"',
    );
  });

  it('leaves out a field from then on, and follows the list', async function () {
    requirePage(this);
    const editor = await comparisonInFront();
    const { document } = editor;
    assert.ok(!document.getText().includes('Ignored differences'));
    await goBehind(editor, '> "ada.example.com"');
    const hover = '.monaco-hover :text("ignores it in all comparisons")';
    await until(
      async () => {
        if (!(await page.isThere(hover))) await vscode.commands.executeCommand('editor.action.showHover');
        if (await page.appears(hover)) {
          await page.screenshot('comparison-hover');
          await page.clickIfThere('.monaco-hover a:has-text("Ignore This Field")');
        }
        return ignoredFields();
      },
      (fields) => fields.includes('input.email'),
    );
    await untilText(document, (text) => text.includes('Ignored differences: 1\n') && !wholeField.test(text));
    await vscode.commands.executeCommand('cursorBottom');
    await page.waitFor(lensLink('Edit Ignored Fields'));
    await page.screenshot('comparison-ignored');
    await configuration().update('comparison.ignoredFields', undefined, vscode.ConfigurationTarget.Global);
    await untilText(document, (text) => wholeField.test(text));
  });

  it('is done with the keyboard alone', async function () {
    requirePage(this);
    const editor = await comparisonInFront();
    await goBehind(editor, '> "ada.example.com"');
    await runInPalette('Workflows: Ignore This Field in Comparisons');
    await until(ignoredFields, (fields) => fields.includes('input.email'));
  });
});
