// An author sees what is wrong while writing, each mistake once and in its place, and what the service refuses to deploy.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { clickUntil } from './clicks.ts';
import { definition, editNewDefinitions } from './definitionDocument.ts';
import { runInPalette, take } from './keyboard.ts';
import { pressLens } from './lenses.ts';
import { page, requirePage } from './page.ts';
import { selectLast } from './selection.ts';
import { until } from './until.ts';

const broken = { ...definition, edges: [{ source: 'start', target: 'nope' }] };
const textOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const words = 'Edge 1 points to a node that doesn\'t exist ("nope").';

/** Every problem of a document with the text it marks, whoever lists it. */
const problemsOf = (document: vscode.TextDocument): readonly (readonly [string, string])[] =>
  vscode.languages
    .getDiagnostics(document.uri)
    .map(({ message, range }) => [document.getText(range), message] as const);

const untilProblems = (document: vscode.TextDocument, wanted: readonly (readonly [string, string])[]) =>
  until(
    () => problemsOf(document),
    (found) => JSON.stringify(found) === JSON.stringify(wanted),
  );

const untilTold = (text: string) =>
  until(
    () => page.notifications(),
    (all) => all.some((message) => message.includes(text)),
  );

/** The text from the cursor on. */
function atCursor(): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return '';
  const { document, selection } = editor;
  return document.getText(new vscode.Range(selection.active, document.lineAt(selection.active).range.end));
}

describe('what is wrong with a definition', () => {
  const editing = editNewDefinitions();

  it('is listed while it is typed, and goes when it is mended', async function () {
    requirePage(this);
    const { document } = editing;
    const editor = await vscode.window.showTextDocument(document);
    await selectLast(editor, 'greet');
    await page.type('nope');
    await untilProblems(document, [['"nope"', words]]);
    await page.screenshot('definition-problem');
    await vscode.commands.executeCommand('undo');
    await untilProblems(document, []);
  });

  it('is one error while the text does not parse', async () => {
    const { document } = editing;
    await editing.write(textOf(broken));
    await untilProblems(document, [['"nope"', words]]);
    await editing.write(textOf(broken).replace('"nope"', '"no'));
    // Who else looks at the text lists what it finds a moment earlier or later.
    await until(
      () => problemsOf(document),
      ([problem, ...others]) => problem !== undefined && problem[1].includes('string') && others.length === 0,
    );
    await editing.write('');
    await until(
      () => problemsOf(document),
      ([first, ...more]) => first?.[1].startsWith('Invalid JSON') === true && more.length === 0,
    );
  });

  it('is found in a file of the workspace too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'definition-'));
    const file = join(folder, 'mine.workflow.json');
    await writeFile(file, textOf(broken));
    const document = await vscode.workspace.openTextDocument(file);
    await untilProblems(document, [['"nope"', words]]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await rm(folder, { recursive: true });
  });

  it('is shown where it is when the service refuses to deploy it', async function () {
    requirePage(this);
    const { document } = editing;
    await editing.write(textOf(broken));
    assert.ok(await document.save());
    await pressLens(document, 'Deploy');
    await untilTold(`Can't deploy "Greeting": edge 1 points to a node that doesn't exist ("nope").`);
    await page.screenshot('deploy-refused');
    await until(atCursor, (text) => text.startsWith('"nope"'));
    await untilProblems(document, [['"nope"', words]]);
  });

  it('is opened from wherever it is deployed, and from the message', async function () {
    requirePage(this);
    await editing.write(textOf(broken));
    assert.ok(await editing.document.save());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runInPalette('Workflows: Deploy Workflow');
    await take('Greeting');
    await until(
      () => vscode.window.activeTextEditor?.document.uri.toString() ?? '',
      (uri) => uri === editing.document.uri.toString(),
    );
    await until(atCursor, (text) => text.startsWith('"nope"'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilTold(`Can't deploy "Greeting"`);
    await clickUntil('.notifications-center .monaco-button:has-text("Show Problem")', () =>
      atCursor().startsWith('"nope"'),
    );
  });

  it('is told to code as before', async () => {
    await editing.write(textOf(broken));
    assert.ok(await editing.document.save());
    const { workflowId } = editing;
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId })),
    );
    assert.deepEqual(
      await vscode.commands.executeCommand(commandId('workflow.showProblems'), { workflowId }),
      [{ message: words, line: 23, column: 17 }],
    );
  });
});
