// An author renames a node with F2, undoes it, and finds where a node is declared and used, with the editor's own keys.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, run } from './commands.ts';
import { replaceText } from './edits.ts';
import { openDefinition } from './inlineDefinition.ts';
import { drawnLens } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { writeInRenameBox } from './renameBox.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

const definition = {
  name: 'Totals',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'ask', name: 'Ask', type: 'transform', config: { expression: '{ "total": input.total }' } },
    { id: 'say', name: 'Say', type: 'log', config: { message: 'He said "{{ nodes.ask.total }}"' } },
  ],
  edges: [
    { source: 'start', target: 'ask' },
    { source: 'ask', target: 'say' },
  ],
};

describe('the IDs of nodes', () => {
  let service: OwnService;
  let connectionId: string;
  let workflowId: string;
  let editor: vscode.TextEditor;
  let text: string;

  before(async function () {
    requirePage(this);
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Node IDs', service);
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.create', { definition }));
    await run(v.string(), 'node.editPin', { workflowId, nodeId: 'ask' });
    const pin = vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith('.pin.json'));
    assert.ok(pin);
    await replaceText(pin, '42\n');
    assert.ok(await pin.save());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    editor = await vscode.window.showTextDocument(await openDefinition(workflowId));
    text = editor.document.getText();
    await page.waitFor(drawnLens('Pinned: 42'));
  });
  after(async () => {
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  /** What the pins say above the nodes, with the line that follows. */
  const pins = async () => {
    const { document } = editor;
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    return lenses
      .filter(({ command }) => /Pinned|no node/.test(command?.title ?? ''))
      .map(({ range, command }) => [document.lineAt(range.start.line + 1).text.trim(), command?.title]);
  };
  const until42 = (id: string) =>
    until(
      pins,
      ([pin, ...others]) =>
        others.length === 0 && pin?.[0] === `"id": "${id}",` && pin[1]?.includes('Pinned: 42') === true,
    );
  const untilText = (wanted: string) =>
    until(
      () => editor.document.getText(),
      (now) => now === wanted,
    );
  it('are renamed with F2 wherever the node is named; the pin goes with it, and comes back with Undo', async () => {
    const renamed = text.replace('nodes.ask.', 'nodes.question.').replaceAll('"ask"', '"question"');
    await goBehind(editor, '"target": "ask');
    await writeInRenameBox('ask', 'question');
    await page.screenshot('node-id-rename');
    await page.press('Enter');
    await untilText(renamed);
    await until42('question');
    await page.waitFor(drawnLens('Pinned: 42'));
    await page.screenshot('node-id-renamed');
    await page.press('Control+Z');
    await untilText(text);
    await until42('ask');
    await page.press('Control+Y');
    await untilText(renamed);
    await until42('question');
    await page.press('Control+Z');
    await untilText(text);
  });

  it('are renamed from an expression', async () => {
    await goBehind(editor, '{{ nodes.as');
    await writeInRenameBox('ask', 'q_1');
    await page.press('Enter');
    await untilText(text.replace('nodes.ask.', 'nodes.q_1.').replaceAll('"ask"', '"q_1"'));
    await page.press('Control+Z');
    await untilText(text);
    await until42('ask');
  });

  it('leave their pin where the definition is closed without saving', async () => {
    await goBehind(editor, '"target": "ask');
    await writeInRenameBox('ask', 'question');
    await page.press('Enter');
    await until42('question');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => editor.document.isClosed || !editor.document.isDirty, Boolean);
    editor = await vscode.window.showTextDocument(await openDefinition(workflowId));
    assert.equal(editor.document.getText(), text);
    await until42('ask');
  });

  it("aren't renamed to what can't be one, nor where there is none", async () => {
    await goBehind(editor, '"target": "ask');
    await writeInRenameBox('ask', 'say');
    await page.press('Enter');
    await until(
      () => page.notifications(),
      (all) => all.some((each) => each.includes('is used by another node')),
    );
    await page.screenshot('node-id-used');
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.window.showTextDocument(editor.document);
    await goBehind(editor, '"name": "Sa');
    await page.press('F2');
    await page.waitFor('.monaco-editor-overlaymessage:has-text("There\'s no node ID here.")');
    await page.screenshot('node-id-none');
    assert.equal(editor.document.getText(), text);
  });

  it('lead to their node with F12, and show where it is used with Shift+F12', async () => {
    const { document } = editor;
    await goBehind(editor, 'nodes.as');
    await page.press('F12');
    const declared = document.positionAt(text.indexOf('"id": "ask"') + '"id": "'.length);
    await until(
      () => editor.selection.active,
      (now) => now.isEqual(declared),
    );
    await page.press('Shift+F12');
    await page.waitFor('.zone-widget .ref-tree .monaco-list-row:has-text("nodes.ask.total")');
    await page.screenshot('node-id-references');
    const found = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      declared,
    );
    assert.deepEqual(
      found.map(({ range }) => [document.getText(range), range.start.line]),
      ['"id": "ask"', 'nodes.ask', '"target": "ask"', '"source": "ask"'].map((each) => [
        'ask',
        document.positionAt(text.indexOf(each)).line,
      ]),
    );
    await page.press('Escape');
    await page.waitUntilGone('.zone-widget .ref-tree');
  });
});
