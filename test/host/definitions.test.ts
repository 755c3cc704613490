// A definition is a document like any other: opened, completed, checked, saved.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clickInRow, hoverUntil } from './clicks.ts';
import { completionsAt } from './completions.ts';
import { definition, editNewDefinitions } from './definitionDocument.ts';
import { runInPalette, take } from './keyboard.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const workflowsView = 'workflowAutomation.workflows';

describe('definitions as documents', () => {
  const editing = editNewDefinitions();

  it('open with the definition alone, as JSON, in the same document each time', async () => {
    const { document } = editing;
    assert.deepEqual(editing.parsed, definition);
    assert.equal(document.languageId, 'json');
    assert.equal(document.isDirty, false);
    assert.ok(document.uri.path.endsWith('/Greeting.workflow.json'));
    assert.equal((await editing.open()).uri.toString(), document.uri.toString());
  });

  it('have a size in bytes and a time that moves only when the content did', async () => {
    const { document } = editing;
    await editing.change({ description: 'Grüße' });
    assert.ok(await document.save());
    const first = await vscode.workspace.fs.stat(document.uri);
    assert.equal(first.size, new TextEncoder().encode(document.getText()).byteLength);
    await editing.open();
    assert.deepEqual(await vscode.workspace.fs.stat(document.uri), first);
    await editing.change({ description: 'Gruß' });
    assert.ok(await document.save());
    assert.ok((await vscode.workspace.fs.stat(document.uri)).mtime > first.mtime);
  });

  it('update the workflow when they are saved, and keep the text as it was written', async () => {
    const { document } = editing;
    const text = JSON.stringify({ $schema: './x.json', ...definition, description: 'Mine' }, null, 4);
    await editing.write(text);
    assert.ok(await document.save());
    assert.equal(await editing.stored('description'), 'Mine');
    assert.equal(document.getText(), text);
    assert.equal(document.isDirty, false);
  });

  it('say what the service does not keep, and show what it keeps', async function () {
    requirePage(this);
    await editing.change({ owner: 'Ada' });
    assert.ok(await editing.document.save());
    await editing.untilReads('owner', undefined);
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes('owner')),
    );
    await vscode.window.showTextDocument(editing.document);
    await vscode.commands.executeCommand('undo');
    await editing.untilReads('owner', 'Ada');
  });

  it('are not sent while they are no JSON; the text stays', async function () {
    requirePage(this);
    const { document } = editing;
    const text = '{\n  "name": "Greeting",\n  "nodes": [\n';
    await editing.write(text);
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.equal(document.getText(), text);
    await until(
      () => page.notifications(),
      (all) => all.some((message) => message.includes('Invalid JSON')),
    );
    await page.screenshot('definition-invalid');
    assert.equal(await editing.stored('description'), 'Says hello');
    await editing.write('{ "name": "One", "nodes": [], "name": "Two" }');
    assert.equal(await document.save(), false);
    assert.equal(await editing.stored('name'), 'Greeting');
  });

  it('show what the service finds wrong where it stands', async () => {
    const { document } = editing;
    await editing.change({ settings: 5 });
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    const [problem] = await until(
      () => vscode.languages.getDiagnostics(document.uri),
      (all) => all.length === 1,
    );
    assert.ok(problem);
    assert.match(problem.message, /settings.* must be/);
    assert.equal(document.getText(problem.range), '5');
    await editing.change({ settings: {} });
    assert.ok(await document.save());
  });

  it('complete by the schema, whose faults the JSON language leaves to this extension', async () => {
    const { document } = editing;
    await editing.write('{ "name": "Greeting", "edges": [], "nodes": [{ "id": "start", "type": "" }] }');
    const position = document.positionAt(document.getText().indexOf('""') + 1);
    const labels = await until(
      () => completionsAt(document, position),
      (all) => all.some((label) => label.includes('httpRequest')),
    );
    assert.ok(labels.some((label) => label.includes('trigger')));
    await editing.change({ nodes: [{ id: 'start', type: 'trigger', config: 5 }], edges: [] });
    await until(
      () =>
        vscode.languages
          .getDiagnostics(document.uri)
          .map(({ source, message }) => `${source ?? ''}: ${message}`),
      (all) => all.join() === 'Workflows: Node "start": "config" must be of type object, not number.',
    );
  });

  it('follow a change made elsewhere while they have no edits', async () => {
    const { document, workflowId } = editing;
    const renamed = { workflowId, name: 'Salutation' };
    await vscode.commands.executeCommand('workflowAutomation.workflow.rename', renamed);
    await editing.untilReads('name', 'Salutation');
    assert.equal(document.isDirty, false);
    await editing.changeElsewhere({ description: 'Theirs' });
    await vscode.commands.executeCommand('workflowAutomation.workflows.refresh');
    await editing.untilReads('description', 'Theirs');
    assert.equal((await editing.open()).uri.toString(), document.uri.toString());
  });

  it('open from the row of the workflow and from the palette', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(`${workflowsView}.focus`);
    const row = `${viewSelector(workflowsView)} .monaco-list-row:has-text("Greeting")`;
    const action = '.action-label[aria-label="Open Definition"]';
    const tab = '.tab[data-resource-name="Greeting.workflow.json"]';
    await hoverUntil(row, `${row} ${action}`);
    await page.screenshot('workflow-row-actions');
    await clickInRow(row, action, () => page.isThere(tab));
    await page.screenshot('definition');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await page.waitUntilGone(tab);
    await runInPalette('Workflows: Open Definition');
    await take('Greeting');
    await page.waitFor(tab);
  });
});
