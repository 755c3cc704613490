// An author adds a node of any type without knowing its members by heart.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { commandId } from '../../src/editor/commands/names.ts';
import { askSuggestions, suggestions } from './completions.ts';
import { inPage } from './graphPage.ts';
import { page, requirePage } from './page.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

describe('a type of node', () => {
  it('is explained where it stands, and on a page', async function () {
    requirePage(this);
    const content = '{ "nodes": [{ "id": "wait", "type": "delay" }], "edges": [] }';
    const folder = await mkdtemp(join(tmpdir(), 'types-'));
    const file = join(folder, 'mine.workflow.json');
    await writeFile(file, content);
    const document = await vscode.workspace.openTextDocument(file);
    const at = document.positionAt(content.indexOf('delay') + 1);
    const words = await until(
      async () => {
        const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
          'vscode.executeHoverProvider',
          document.uri,
          at,
        );
        const contents = hovers.flatMap((hover) => hover.contents);
        return contents.map((each) => (each instanceof vscode.MarkdownString ? each.value : '')).join('\n');
      },
      (all) => all.includes('waitedMs') && all.includes('Waits'),
    );
    assert.match(words, /command:workflowAutomation\.nodeTypes\.open/);
    await vscode.commands.executeCommand(commandId('nodeTypes.open'));
    await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '',
      (label) => label.includes('node-types.md'),
    );
    await page.waitFor(inPage('h2#delay'));
    await page.screenshot('node-types');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });
});

describe('completion of nodes', () => {
  it('offers a snippet for each type, and writes a whole node', async function () {
    requirePage(this);
    const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
    const file = join(folder, 'mine.workflow.json');
    await writeFile(file, '{\n  "nodes": [\n    { "id": "start", "type": "trigger" },\n    \n  ]\n}\n');
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await goBehind(editor, '"trigger" },\n    ');
    const wanted = schema.definitions.node.defaultSnippets.map(({ label }) => label);
    await askSuggestions((found) => wanted.every((label) => found.includes(label)));
    await page.screenshot('completion-nodes');
    await page.type('Delay');
    await until(
      () => page.texts(`${suggestions}.focused .label-name`),
      ([label]) => label === 'Delay',
    );
    await page.press('Enter');
    await until(
      () => editor.document.getText().replaceAll(/\s+/g, ' '),
      (text) => text.includes('"type": "delay", "config": { "milliseconds": 1000 } } ]'),
    );
    assert.ok(await editor.document.save());
    await rm(folder, { recursive: true });
  });
});
