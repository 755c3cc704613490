// The code of a node of n8n as a document of its own: opened from its definition, saved back into it.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { run } from './commands.ts';
import { answerConflict, saveIntoQuestion } from './conflict.ts';
import { replaceOnce } from './edits.ts';
import { untilInFront, untilUriInFront } from './front.ts';
import { choose } from './keyboard.ts';
import { clearNotifications, untilNotified } from './notifications.ts';
import { clickLens, lensLink } from './lenses.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage } from './page.ts';
import { readText, workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const code = 'const rows = $input.all();\nreturn rows.filter(({ json }) => json.total > 10);\n';
const nodes = [
  { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', position: [0, 0], parameters: { path: 'in' } },
  {
    id: 'n2',
    name: 'Large ones',
    type: 'n8n-nodes-base.code',
    position: [2, 0],
    parameters: { jsCode: code },
  },
  {
    id: 'n3',
    name: 'Sum',
    type: 'n8n-nodes-base.code',
    position: [4, 0],
    parameters: { language: 'python', pythonCode: 'return [len(_items)]' },
  },
];

describe('the code of a node of n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let workflowId: string;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    ({ n8n } = own);
    workflowId = n8n.addWorkflow({ name: 'Totals', nodes, connections: {}, settings: {} }).id;
    await own.connect();
  });
  after(() => own.stop());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const kept = (): string => JSON.stringify(n8n.workflows.get(workflowId)?.nodes);
  const isInFront = (languageId: string) =>
    vscode.window.activeTextEditor?.document.languageId === languageId;
  const openDefinition = async () =>
    vscode.workspace.openTextDocument(
      vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true),
    );

  it('opens as JavaScript from above its node, and is saved on the service', async () => {
    const definition = await openDefinition();
    await clickLens(lensLink('Edit Code'), () => isInFront('javascript'));
    const document = await untilInFront(({ languageId }) => languageId === 'javascript');
    assert.equal(document.getText(), code);
    assert.equal(document.uri.path, '/Mine/Totals/Large ones.js');
    await page.screenshot('n8n-edit-code');
    await replaceOnce(document, '> 10', '> "20"');
    assert.ok(await document.save());
    await until(kept, (text) => text.includes(JSON.stringify(code.replace('> 10', '> "20"'))));
    await until(
      () => [definition.isDirty, document.isDirty],
      ([one, other]) => one === false && other === false,
    );
  });

  it('is saved into the linked file that it was opened from, and never on the service', async () => {
    const folder = workspaceFile('linked-code');
    const file = vscode.Uri.joinPath(folder, 'Totals.n8n.workflow.json');
    const before = kept();
    const text = `${JSON.stringify({ name: 'Totals', nodes, connections: {}, settings: {} }, null, 2)}\n`;
    await writeText(file, text);
    const environments = { mine: { url: own.address, kind: 'n8n' } };
    const workflows = { 'Totals.n8n.workflow.json': { mine: workflowId } };
    const links = vscode.Uri.joinPath(folder, 'workflows.json');
    await writeText(links, JSON.stringify({ environments, workflows }));
    try {
      const definition = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(definition);
      await clickLens(lensLink('Edit Code'), () => isInFront('javascript'));
      const document = await untilInFront(({ languageId }) => languageId === 'javascript');
      assert.equal(document.getText(), code);
      // Its definition is closed by then.
      await vscode.window.tabGroups.close(
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(({ isActive }) => !isActive)),
      );
      await replaceOnce(document, '> 10', '> 30');
      assert.ok(await document.save());
      await until(
        () => readText(file),
        (now) => now === text.replace('> 10', '> 30'),
      );
      assert.equal(kept(), before);
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });

  it('opens without its definition, by name, as Python', async () => {
    // The editor tells a moment later that the linked file is gone.
    await until(
      () => run(v.string(), 'node.editCode', { workflowId, nodeId: 'Sum' }).catch(String),
      (opened) => !opened.includes('linked-code'),
    );
    const document = await untilInFront(({ languageId }) => languageId === 'python');
    assert.equal(document.getText(), 'return [len(_items)]');
    await replaceOnce(document, 'len(_items)', '1');
    assert.ok(await document.save());
    await until(kept, (text) => text.includes('return [1]'));
  });

  it('asks which node where the cursor is in none', async () => {
    const definition = await openDefinition();
    const editor = await vscode.window.showTextDocument(definition);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const opening = vscode.commands.executeCommand('workflowAutomation.node.editCode');
    await choose('Select a node to edit its code', 'Sum');
    await opening;
    await untilInFront(({ uri }) => uri.path === '/Mine/Totals/Sum.py');
  });

  it('is refused in words where there is none, or a file could not keep it', async () => {
    const edit = (argument: object) => run(v.string(), 'node.editCode', argument);
    await assert.rejects(edit({ workflowId, nodeId: 'Input' }), /The node "Input" has no code\./);
    await assert.rejects(edit({ workflowId, nodeId: 'Gone' }), /"Gone" is no longer in the definition/);
    const odd = { ...nodes[1], parameters: { jsCode: 'a\ud83d' } };
    const add = (own: readonly object[]) =>
      n8n.addWorkflow({ name: 'Odd', nodes: own.map((node) => ({ ...node })), connections: {}, settings: {} })
        .id;
    await assert.rejects(edit({ workflowId: add([odd]), nodeId: 'Large ones' }), /half a character/);
    const opened = await run(v.string(), 'workflow.open', { workflowId: add(nodes.slice(0, 1)) });
    await vscode.workspace.openTextDocument(vscode.Uri.parse(opened, true));
    void vscode.commands.executeCommand('workflowAutomation.node.editCode');
    await untilNotified('has code that can be edited here');
    await clearNotifications();
  });

  it('is told by its definition when somebody else has changed that, and keeps what was typed', async () => {
    const uri = await run(v.string(), 'node.editCode', { workflowId, nodeId: 'Sum' });
    const document = await untilUriInFront(uri);
    await vscode.workspace.openTextDocument(document.uri);
    const workflow = n8n.workflows.get(workflowId) ?? assert.fail();
    const theirs = workflow.nodes.map((node) => ({ ...node, notes: 'by somebody' }));
    const { name, connections, settings } = workflow;
    n8n.replace(workflow, { name, connections, settings, nodes: theirs });
    await replaceOnce(document, 'return', 'return  ');
    const { saved } = await saveIntoQuestion(document);
    await page.screenshot('n8n-code-conflict');
    assert.ok(!kept().includes('return   ['));
    await answerConflict('Keep Mine');
    await saved;
    await until(kept, (text) => text.includes('return   ['));
    assert.ok(document.getText().includes('return   ['));
  });
});
