// Definitions of an n8n as documents: what helps while they are written, and that a save deploys nothing.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { run } from './commands.ts';
import { completionsAt } from './completions.ts';
import { answerConflict, conflictButtons, saveIntoQuestion } from './conflict.ts';
import { replaceOnce } from './edits.ts';
import { write } from './keyboard.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Imported = v.object({ workflowId: v.string() });
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const content = {
  name: 'Sorts',
  nodes: [
    { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', position: [0, 0], parameters: { path: 'in' } },
    { id: 'n2', name: 'Say', type: 'n8n-nodes-base.set', position: [200, 0], parameters: {} },
  ],
  connections: { Input: to('Say') },
  settings: { timezone: 'UTC' },
};

describe('a definition of an n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let connectionId: string;
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    let time = Date.UTC(2026, 0, 6, 10);
    own = await startOwnN8n(() => (time += 1000));
    ({ n8n } = own);
    connectionId = await own.connect();
    ({ workflowId } = await run(Imported, 'workflow.import', { definition: content }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const uri = await run(v.string(), 'workflow.open', { workflowId });
    document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    await vscode.window.showTextDocument(document);
  });
  after(() => own.stop());

  const problems = (wanted: readonly string[]) =>
    until(
      () => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message),
      (found) => found.join('\n') === wanted.join('\n'),
    );
  const text = () => document.getText();
  const timezone = () => n8n.workflows.get(workflowId)?.settings['timezone'];

  it('has nothing wrong, and is helped by a schema of its own', async () => {
    assert.ok(document.uri.path.endsWith('/Sorts.n8n.workflow.json'));
    const at = document.positionAt(document.getText().indexOf('"timezone"'));
    // Until VS Code's own support of JSON is there, it offers the words of the document.
    const labels = await until(
      () => completionsAt(document, at),
      (offered) => offered.includes('saveExecutionProgress'),
    );
    assert.ok(!labels.includes('edges'), labels.join());
    await problems([]);
    await page.screenshot('n8n-definition');
  });

  it('says where a connection leads to a node that is not there', async () => {
    await replaceOnce(document, '"node": "Say"', '"node": "Sya"');
    await problems(['Node "Input" is connected to a node that doesn\'t exist ("Sya"); did you mean "Say"?']);
    await page.screenshot('n8n-definition-problem');
    await replaceOnce(document, '"Sya"', '"Say"');
    await problems([]);
  });

  it('is saved without a question, and what is deployed stays', async () => {
    await replaceOnce(document, '"UTC"', '"Europe/Berlin"');
    await replaceOnce(document, '"path": "in"', '"path": "in",\n        "note": "new"');
    assert.ok(await document.save());
    const workflow = n8n.workflows.get(workflowId);
    assert.equal(timezone(), 'Europe/Berlin');
    assert.notEqual(workflow?.activeVersionId, workflow?.versionId);
    await replaceOnce(document, ',\n        "note": "new"', '');
    await replaceOnce(document, '"Europe/Berlin"', '"UTC"');
    assert.ok(await document.save());
    assert.equal(timezone(), 'UTC');
  });

  it('compares what is saved with what is deployed', async () => {
    const other = n8n.addWorkflow({ ...content, name: 'Edited' });
    n8n.activate(other);
    const edited = other.nodes.map((node) => ({ ...node, notes: 'edited in n8n' }));
    Object.assign(other, { versionId: 'from-the-editor', nodes: edited });
    const Compared = v.object({ isDifferent: v.boolean() });
    const compared = await run(Compared, 'workflow.compareWithDeployed', { workflowId: other.id });
    assert.ok(compared.isDifferent);
    await page.waitFor('.monaco-diff-editor .modified .view-line:has-text("edited in n8n")');
    await page.screenshot('n8n-compared-with-deployed');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.window.showTextDocument(document);
  });

  it('keeps what is deployed when it is renamed', async () => {
    const workflow = n8n.workflows.get(workflowId);
    assert.ok(workflow);
    const { activeVersionId } = workflow;
    const row = { connectionId, workflowId, invokedBy: 'person' };
    const renaming = vscode.commands.executeCommand('workflowAutomation.workflow.rename', row);
    await write('New name of the workflow', 'Renamed');
    await renaming;
    assert.deepEqual([workflow.name, workflow.activeVersionId], ['Renamed', activeVersionId]);
    const shows = (name: string) => until(text, (shown) => shown.includes(`"name": "${name}"`));
    await shows('Renamed');
    await vscode.commands.executeCommand('workflowAutomation.workflow.rename', {
      connectionId,
      workflowId,
      name: 'Sorts',
    });
    await shows('Sorts');
  });

  it('keeps its text where n8n refuses it, and marks the place', async () => {
    await replaceOnce(document, '"position": [', '"odd": 1,\n      "position": [');
    assert.equal(await document.save(), false);
    await problems(['nodes.0.odd: n8n\'s API takes no "odd" of a node. Edit this workflow in n8n itself.']);
    await page.screenshot('n8n-save-refused');
    assert.ok(document.isDirty);
    await replaceOnce(document, '"odd": 1,\n      ', '');
    assert.ok(await document.save());
    await problems([]);
  });

  it('goes over nothing that somebody else changed in n8n meanwhile, unless a person says so', async () => {
    const workflow = n8n.workflows.get(workflowId);
    assert.ok(workflow);
    const { nodes, connections } = workflow;
    n8n.replace(workflow, { name: 'Theirs', nodes, connections, settings: {} });
    await replaceOnce(document, '"UTC"', '"Asia/Tokyo"');
    const { length } = n8n.requests;
    const { saved } = await saveIntoQuestion(document);
    assert.ok(n8n.requests.slice(length).every(({ method }) => method === 'GET'));
    assert.deepEqual(await conflictButtons(), ['Merge', 'Keep Mine', 'Take Theirs']);
    await page.screenshot('n8n-conflict');
    await answerConflict('Merge');
    await saved;
    await until(
      () => workflow.name === 'Theirs' && timezone() === 'Asia/Tokyo',
      (areBoth) => areBoth,
    );
  });
});
