// What is mistyped or forgotten in a definition is mended with a key.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openQuickFixes } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { selectLast } from './selection.ts';
import { until } from './until.ts';

const mended = `{
  "name": "Mine",
  "nodes": [
    { "id": "start", "type": "trigger" },
    { "id": "wait", "type": "delay", "config": { "milliseconds": 1 } },
    { "id": "say", "type": "log", "config": { "message": "Hi" } }
  ],
  "edges": [
    { "source": "start", "target": "wait" },
    { "source": "wait", "target": "say" }
  ]
}
`;

describe('a quick fix in a definition', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixes-'));
  });
  after(() => rm(folder, { recursive: true }));

  const open = async (text: string): Promise<vscode.TextEditor> => {
    const file = join(folder, 'mine.workflow.json');
    await writeFile(file, text);
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
  };
  const untilProblems = (document: vscode.TextDocument, wanted: readonly string[]) =>
    until(
      () => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message),
      (found) => found.join('\n') === wanted.join('\n'),
    );

  it('changes a mistyped type, and adds a missing edge', async function () {
    requirePage(this);
    const lines = mended.replace('"delay"', '"dealy"').split('\n');
    const broken = lines.filter((line) => !line.includes('"source": "wait"')).join('\n');
    const editor = await open(broken.replace('"wait" },\n  ]', '"wait" }\n  ]'));
    const { document } = editor;
    await untilProblems(document, [
      'Node "wait" has a type that doesn\'t exist ("dealy"); did you mean "delay"?',
      'Node "say" can\'t be reached from the trigger.',
    ]);
    await selectLast(editor, 'dealy');
    await openQuickFixes('Change to');
    await page.screenshot('definition-quick-fix');
    await page.press('Enter');
    await untilProblems(document, ['Node "say" can\'t be reached from the trigger.']);
    await selectLast(editor, 'say');
    // The editor learns of the problems after this process: until it has, there's nothing that it could fix.
    await until(
      async () => {
        await vscode.commands.executeCommand('editor.action.autoFix');
        return vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
      },
      (found) => found.length === 0,
    );
    assert.equal(document.getText(), mended);
    assert.ok(await document.save());
  });
});
