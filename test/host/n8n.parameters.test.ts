// The parameters of n8n's nodes: completed, explained and checked by the n8n itself, where it has a token for its MCP server.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import { run } from './commands.ts';
import { completionsAt } from './completions.ts';
import { replaceOnce } from './edits.ts';
import { untilExplained } from './hovers.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const nodes = [
  {
    id: 'n1',
    name: 'Totals',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [0, 0],
    parameters: { mode: 'raww', include: 'all' },
  },
];

describe('the parameters of a node of n8n', () => {
  let own: OwnN8n;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    const { id: workflowId } = own.n8n.addWorkflow({ name: 'Sets', nodes, connections: {}, settings: {} });
    await own.connect(recordedToken);
    const uri = await run(v.string(), 'workflow.open', { workflowId });
    document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await own.stop();
  });

  const placeOf = (text: string, by: number) => document.positionAt(document.getText().indexOf(text) + by);
  const problems = () =>
    vscode.languages
      .getDiagnostics(document.uri)
      .map(({ message, severity, range }) => [message, severity, document.getText(range)]);
  const wrong = 'n8n: Invalid value for "parameters.mode": got "raww", expected one of: "manual", "raw".';

  it('are checked, and what is wrong is a warning at its place', async () => {
    const wanted = JSON.stringify([[wrong, vscode.DiagnosticSeverity.Warning, '"raww"']]);
    await until(problems, (found) => JSON.stringify(found) === wanted);
  });

  it('are completed: names and values', async () => {
    const names = await until(
      () => completionsAt(document, placeOf('"mode"', 1)),
      (labels) => labels.includes('assignments'),
    );
    assert.ok(!names.includes('include') && names.includes('jsonOutput'), names.join());
    await until(
      () => completionsAt(document, placeOf('"raww"', 1)),
      (values) => values.includes('manual') && values.includes('raw'),
    );
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(placeOf('"raww"', 1), placeOf('"raww"', 1));
    await until(async () => {
      await vscode.commands.executeCommand('editor.action.triggerSuggest');
      return page.appears('.suggest-widget .monaco-list-row:has-text("manual")');
    }, Boolean);
    await page.screenshot('n8n-parameters');
    await vscode.commands.executeCommand('hideSuggestWidget');
  });

  it('are explained', async () => {
    await untilExplained(document, placeOf('"include"', 2), 'Which fields go on', 'Default: all');
  });

  it('are no longer wrong once they are right', async () => {
    await replaceOnce(document, '"raww"', '"raw"');
    await until(problems, (all) => all.length === 0);
  });
});
