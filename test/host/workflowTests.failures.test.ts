// What a person does with tests that don't pass, with the keyboard alone: from the failure to its node, to the debugger, to what is expected.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { stopDebugging, untilFrames } from './callStack.ts';
import { connect, disconnect, listExecutions, run } from './commands.ts';
import { choose, goTo, readChoices, runInPalette, runOnSelected, untilAsked } from './keyboard.ts';
import { startOwnN8n } from './ownN8n.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { readText, workspaceFile, writeText } from './presetFiles.ts';
import { actUntil, until } from './until.ts';

const node = (id: string, name: string, type: string, config: object) => ({ id, name, type, config });
const definition = {
  name: 'Shipping',
  nodes: [
    node('start', 'Start', 'trigger', {}),
    node('weigh', 'Weigh', 'transform', { expression: 'input.grams / 1000' }),
    node('isLight', 'Is light', 'condition', { expression: 'nodes.weigh < 30' }),
    node('ship', 'Ship', 'output', { expression: '{ "kilograms": nodes.weigh }' }),
    node('refuse', 'Refuse', 'fail', { message: 'Too heavy: {{ nodes.weigh }} kg.' }),
  ],
  edges: [
    { source: 'start', target: 'weigh' },
    { source: 'weigh', target: 'isLight' },
    { source: 'isLight', target: 'ship', branch: 'true' },
    { source: 'isLight', target: 'refuse', branch: 'false' },
  ],
};
const resting = {
  name: 'Resting',
  nodes: [node('start', 'Start', 'trigger', {}), node('rest', 'Rest', 'delay', { milliseconds: 3_600_000 })],
  edges: [{ source: 'start', target: 'rest' }],
};

const completed = { status: 'completed' };
const shipping = {
  workflow: 'Shipping',
  tests: [
    {
      name: 'weights',
      each: [
        { name: 'light', input: { grams: 500 } },
        { name: 'heavy', input: { grams: 90_000 } },
      ],
      expected: completed,
    },
    { name: 'kilograms', input: { grams: 2000 }, expected: { ...completed, output: { kilograms: 3 } } },
  ],
};

const Outcomes = v.array(
  v.looseObject({ name: v.string(), outcome: v.string(), message: v.optional(v.string()) }),
);
const Created = v.object({ workflowId: v.string() });
const runTests = (argument: object = {}) => run(Outcomes, 'test.run', argument);

const rows = '.test-explorer .monaco-list-row';
/** The row of a test with what its icon says. */
const shown = (label: string, state: string): string =>
  `${rows}:has-text(${JSON.stringify(label)}) .codicon-testing-${state}-icon`;

describe('tests of workflows that fail', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  const file = () => workspaceFile('shipping.workflow-test.json');

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Failures', service);
    ({ workflowId } = await run(Created, 'workflow.create', { definition }));
    await writeText(file(), JSON.stringify(shipping, null, 2));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    await vscode.workspace.fs.delete(file());
  });

  const countExecutions = async () => (await listExecutions({ workflowId, limit: 100 })).length;

  /** Moves the focus from wherever it is into the tree of tests: its view begins with a filter. */
  const focusTests = (): Promise<void> =>
    actUntil(
      async () => {
        await vscode.commands.executeCommand('workbench.view.testing.focus');
        await page.press('Control+ArrowDown');
      },
      () => page.isThere('.test-explorer .monaco-list:focus'),
    );
  /** Moves the cursor in the tree to the row of a test. */
  const goToTest = async (label: string): Promise<void> => {
    await focusTests();
    await page.press('Home');
    await goTo(`${rows}.focused .label`, (text) => text.includes(label), {
      restart: () => page.press('Home'),
    });
  };
  /** Shows what is below the row of a test. */
  const unfoldTest = async (label: string, below: string): Promise<void> => {
    await goToTest(label);
    await actUntil(
      () => page.press('ArrowRight'),
      () => page.isThere(below),
    );
  };
  const selectedLine = () => {
    const editor = vscode.window.activeTextEditor;
    return editor === undefined ? '' : editor.document.lineAt(editor.selection.active).text;
  };

  it('have a row for each of their inputs, and are run again by themselves', async () => {
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await vscode.commands.executeCommand('testing.refreshTests');
    await page.waitFor(`${rows}:has-text("shipping")`);
    await runInPalette('Test: Run All Tests');
    await unfoldTest('shipping', `${rows}:has-text("weights")`);
    await page.waitFor(shown('weights', 'failed'));
    await page.waitFor(shown('kilograms', 'failed'));
    await unfoldTest('weights', `${rows}:has-text("heavy")`);
    await page.waitFor(shown('light', 'passed'));
    await page.waitFor(shown('heavy', 'failed'));
    await until(countExecutions, (count) => count === 3);
    await page.screenshot('workflow-tests-rows');
    await runInPalette('Test: Rerun Failed Tests');
    await until(countExecutions, (count) => count === 5);
  });

  it('lead to the node that failed', async () => {
    await goToTest('heavy');
    await runOnSelected('Open Failed Node of Test');
    await until(selectedLine, (line) => line.includes('"Refuse"') || line.includes('"refuse"'));
    await page.screenshot('workflow-tests-failed-node');
  });

  it('are debugged where they failed, and else at the first breakpoint', async () => {
    await run(Outcomes, 'test.debug', { uri: file().toString(), name: 'weights', row: 'heavy' });
    await untilFrames('Refuse', 'Shipping');
    await page.screenshot('workflow-tests-debugged');
    await stopDebugging();
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    const line = text.slice(0, text.indexOf('"id": "isLight"')).split('\n').length - 1;
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line, 0))),
    ]);
    await goToTest('kilograms');
    await runOnSelected('Debug Test');
    await untilFrames('Is light', 'Shipping');
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await stopDebugging();
  });

  it('expect what came, after a look at the change', async () => {
    await runTests({ uri: file().toString() });
    await goToTest('kilograms');
    await runOnSelected('Update Expected');
    const question = 'Update what the test "kilograms" expects?';
    await readChoices(question);
    await until(page.quickPick, (labels) => labels.join() === 'Cancel,Update Expected');
    await page.screenshot('workflow-tests-update');
    await choose(question, 'Update Expected');
    await until(
      () => readText(file()),
      (text) => text.includes('"kilograms": 2'),
    );
    const outcomes = await runTests({ uri: file().toString(), name: 'kilograms' });
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['passed'],
    );
  });

  it('are created and run with keys', async () => {
    await untilAsked('Select an execution', () => runInPalette('Workflows: Create Test from Execution'));
    await choose('Select an execution', 'Shipping');
    await until(selectedLine, (line) => line.includes('"name": "as in '));
    await runInPalette('Test: Run Test at Cursor');
    await vscode.commands.executeCommand('workbench.view.testing.focus');
    await page.waitFor(shown('as in ', 'passed'));
    await until(
      () => readText(file()),
      (text) => text.includes('"as in '),
    );
  });

  it('are cancelled with their executions', async () => {
    const restingFile = workspaceFile('resting.workflow-test.json');
    const { workflowId: restingId } = await run(Created, 'workflow.create', { definition: resting });
    const states = async () => (await listExecutions({ workflowId: restingId })).map(({ status }) => status);
    const tests = [
      { name: 'too long', timeoutMs: 200, expected: completed },
      { name: 'rests', expected: completed },
    ];
    await writeText(restingFile, JSON.stringify({ workflow: 'Resting', tests }));
    const outcomes = await runTests({ uri: restingFile.toString(), name: 'too long' });
    assert.equal(outcomes[0]?.message, "The execution didn't end within 200 ms.");
    const running = runTests({ uri: restingFile.toString(), name: 'rests' });
    await until(states, (all) => all.some((state) => state === 'running' || state === 'waiting'));
    await vscode.commands.executeCommand('testing.cancelRun');
    assert.deepEqual(await running, []);
    await until(states, (all) => all.join() === 'cancelled,cancelled');
    await vscode.workspace.fs.delete(restingFile);
  });

  it('send nothing where something is wrong, each with its words', async () => {
    const one = [{ name: 'one', expected: completed }];
    const wrong = {
      unknown: JSON.stringify({ workflow: 'Nobody', tests: one }),
      broken: '{"workflow": "Shipping", "tests": [{"name": "one", "expected": {"status": "completed"}},',
      large: `{"workflow": "Shipping", "tests": [], "padding": "${'x'.repeat(10 * 1024 * 1024)}"}`,
    };
    const before = await countExecutions();
    const uris = Object.entries(wrong).map(([name, text]) => ({
      uri: workspaceFile(`wrong/${name}.workflow-test.json`),
      text,
    }));
    for (const { uri, text } of uris) await writeText(uri, text);
    await vscode.commands.executeCommand('testing.refreshTests');
    const messages: (string | undefined)[] = [];
    for (const { uri } of uris)
      for (const { message } of await runTests({ uri: uri.toString() })) messages.push(message);
    assert.deepEqual(messages, [
      'No workflow has the name or ID "Nobody".',
      "The file isn't valid JSON: a value is missing.",
    ]);
    await goToTest('large');
    await page.waitFor(`${rows}:has-text("The file is too large. The maximum for tests is 10 MB.")`);
    await page.screenshot('workflow-tests-wrong');
    assert.equal(await countExecutions(), before);
    await vscode.workspace.fs.delete(workspaceFile('wrong'), { recursive: true });
  });

  it('are skipped where a service takes no drafts, and say so', async () => {
    const own = await startOwnN8n();
    const sorting = { id: 'w', name: 'Work', type: 'n8n-nodes-base.code', position: [0, 0], parameters: {} };
    const { id } = own.n8n.addWorkflow({ name: 'Sorts', nodes: [sorting], connections: {}, settings: {} });
    await own.connect();
    const n8nFile = workspaceFile('sorts.workflow-test.json');
    const tests = [{ name: 'pinned', pinned: { Work: [] }, expected: completed }];
    await writeText(n8nFile, JSON.stringify({ workflow: id, tests }));
    const outcomes = await runTests({ uri: n8nFile.toString() });
    assert.deepEqual(
      outcomes.map(({ outcome, message }) => `${outcome}: ${message}`),
      ["skipped: n8n takes no drafts, so nodes can't be pinned."],
    );
    await unfoldTest('sorts', `${rows}:has-text("n8n takes no drafts")`);
    await page.screenshot('workflow-tests-skipped');
    await vscode.workspace.fs.delete(n8nFile);
    await page.waitUntilGone(`${rows}:has-text("sorts")`);
    await own.stop();
  });
});
