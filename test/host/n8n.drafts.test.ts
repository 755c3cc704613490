// Drafts on an n8n with a token: the same lenses and words as on the local service, and what n8n wants in addition is asked.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import type { RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { turnOf } from '../support/n8n/world.ts';
import { run } from './commands.ts';
import { replaceOnce } from './edits.ts';
import { choose, escape, untilRow } from './keyboard.ts';
import { clickLens, drawnLens, nodeLensLink, pressLens } from './lenses.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const opened = v.string();
const executions = 'workflowAutomation.executions';
const node = (name: string, type: string) => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  position: [0, 0],
  parameters: {},
});
const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

describe('a draft on an n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    own = await startOwnN8n();
    ({ n8n } = own);
    n8n.play = ({ id, startedAt }) => {
      const work = turnOf(Date.parse(startedAt) + 1, 1, [{ sorted: 3 }], { previousNode: 'Hand' });
      n8n.ran(id, 'Work', work);
      n8n.end(id, 'success');
    };
    ({ id: workflowId } = n8n.addWorkflow({
      name: 'Sorts',
      nodes: [node('Hand', 'manualTrigger'), node('Work', 'code'), node('End', 'code')],
      connections: { Hand: to('Work'), Work: to('End') },
      settings: {},
    }));
    await own.connect(recordedToken);
    const uri = await run(opened, 'workflow.open', { workflowId });
    document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    await vscode.window.showTextDocument(document);
  });
  after(() => own.stop());

  const executed = () => [...n8n.executions.values()].map(({ mode }) => mode);
  const saved = () => n8n.workflows.get(workflowId);

  it('ends at a node by its lens, once its MCP server is let execute it', async () => {
    const question = 'Let n8n\'s MCP server execute "Sorts"?';
    const isAsked = async () => (await page.quickPick()).some((label) => label.includes('Allow and Execute'));
    await clickLens(nodeLensLink('Execute up to Here', 'Work'), isAsked);
    await page.screenshot('n8n-allow');
    await escape(question);
    assert.deepEqual([executed(), saved()?.settings], [[], {}]);
    await clickLens(nodeLensLink('Execute up to Here', 'Work'), isAsked);
    await choose(question, 'Allow and Execute');
    await until(executed, (modes) => modes.length > 0);
    assert.deepEqual([executed(), saved()?.settings], [['manual'], { availableInMCP: true }]);
    assert.deepEqual(n8n.executions.get(1)?.pinData, { End: [], Hand: [{ json: {} }] });
    await page.waitFor(drawnLens('Draft execution'));
    assert.deepEqual(await page.texts(drawnLens('Execute Node')), []);
    await page.screenshot('n8n-draft');
  });

  it('has a pin of an output that is shown', async () => {
    await clickLens(nodeLensLink('Pin Output', 'Work'), () => page.appears(drawnLens('Pinned:')));
    // The log, which the draft has opened, covers the last node.
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await pressLens(document, 'Execute up to Here', 'End');
    await until(executed, (modes) => modes.length === 2);
    assert.deepEqual(n8n.executions.get(2)?.pinData, {
      Work: [{ json: { sorted: 3 } }],
      Hand: [{ json: {} }],
    });
    await page.screenshot('n8n-pin');
  });

  it('is saved first, which deploys nothing', async () => {
    await replaceOnce(document, '"name": "Work"', '"notes": "mine",\n"name": "Work"');
    const { versionId } = saved() ?? {};
    void vscode.commands.executeCommand('workflowAutomation.workflow.executeDraft');
    await page.waitFor('.quick-input-widget:has-text("n8n executes what is saved. Saving deploys nothing.")');
    await page.screenshot('n8n-save-first');
    await choose('Save the definition and execute it?', 'Save and Execute');
    await until(executed, (modes) => modes.length === 3);
    await until(
      () => document.isDirty,
      (isDirty) => !isDirty,
    );
    assert.notEqual(saved()?.versionId, versionId);
    assert.equal(saved()?.activeVersionId, null);
  });

  it('is what Execute starts of a workflow that begins by hand, without a question', async () => {
    const uri = await run(opened, 'workflow.openInput', { workflowId, input: {} });
    const input = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    await pressLens(input, 'Execute');
    await until(executed, (modes) => modes.length === 4);
    await vscode.commands.executeCommand(`${executions}.focus`);
    await untilRow(executions, 'Sorts', ({ accessibleName }) => accessibleName.includes('draft'));
    await page.screenshot('n8n-by-hand');
  });
});
