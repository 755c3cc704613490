// An author adds a node of any type without knowing its members by heart.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import schema from '../../media/workflow-definition.schema.json' with { type: 'json' };
import { page, requirePage } from './page.ts';
import { goBehind } from './selection.ts';
import { until } from './until.ts';

const suggestions = '.suggest-widget.visible .monaco-list-row';

describe('completion of nodes', () => {
  it('offers a snippet for each type, and writes a whole node', async function () {
    requirePage(this);
    const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
    const file = join(folder, 'mine.workflow.json');
    await writeFile(file, '{\n  "nodes": [\n    { "id": "start", "type": "trigger" },\n    \n  ]\n}\n');
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await goBehind(editor, '"trigger" },\n    ');
    const wanted = schema.definitions.node.defaultSnippets.map(({ label }) => label);
    await until(
      async () => {
        if ((await page.texts(suggestions)).length === 0) await page.press('Control+Space');
        await page.appears(suggestions);
        return page.texts(`${suggestions} .label-name`);
      },
      (found) => wanted.every((label) => found.includes(label)),
    );
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
