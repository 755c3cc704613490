// While an HTTP request is written, the editor says what it can't send and what would be encoded twice, and completes its query.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run, startLocalService } from './commands.ts';
import { completionsAt } from './completions.ts';
import { applyQuickFix, replaceOnce } from './edits.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Created = v.object({ workflowId: v.string() });
const url = 'https://example.com/orders/{{ $encodeUrlComponent(input.id) }}';
const definition = {
  name: 'Ask for an order',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    {
      id: 'ask',
      name: 'Ask',
      type: 'httpRequest',
      config: {
        url,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: { order: { id: 7 } },
      },
    },
  ],
  edges: [{ source: 'start', target: 'ask' }],
};

describe('an HTTP request in a definition', () => {
  let workflowId = '';
  before(async function () {
    requirePage(this);
    await startLocalService();
    ({ workflowId } = await run(Created, 'workflow.import', { definition }));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run(v.unknown(), 'workflow.delete', { workflowId });
  });

  it('says what a form has no place for, and mends what is encoded twice', async () => {
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
    const { document } = await vscode.window.showTextDocument(uri);
    const problems = () =>
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Workflows');
    const found = await until(problems, (all) => all.length === 2);
    assert.deepEqual(
      found.map(({ range, severity, message }) => [document.getText(range), severity, message]).toSorted(),
      [
        [
          '"order"',
          vscode.DiagnosticSeverity.Error,
          'Node "ask": "order" in the form must be text, a number, a boolean or null, or a list of these.',
        ],
        [
          '$encodeUrlComponent(input.id)',
          vscode.DiagnosticSeverity.Information,
          'The service encodes values in an address or a form, so $encodeUrlComponent encodes this one twice.',
        ],
      ],
    );
    await page.screenshot('request-problems');
    const hint = found.find(({ severity }) => severity === vscode.DiagnosticSeverity.Information);
    assert.ok(hint);
    await applyQuickFix(document, hint.range, 'Change to "input.id"');
    assert.ok(document.getText().includes('"https://example.com/orders/{{ input.id }}"'));
    await until(problems, (all) => all.length === 1);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('completes the members of its config, and expressions in its query', async () => {
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
    const { document } = await vscode.window.showTextDocument(uri);
    const offer = async (written: string, at: number, label: string): Promise<void> => {
      const start = document.positionAt(document.getText().indexOf('"url"'));
      await replaceOnce(document, '"url"', `${written}"url"`);
      await until(
        () => completionsAt(document, start.translate(0, at)),
        (labels) => labels.includes(label),
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
    };
    await offer('"", ', 1, 'query');
    await offer('"query": { "q": "{{  }}" }, ', '"query": { "q": "{{ '.length, 'input');
    await offer('"query": { "q": ["{{ secrets. }}"] }, ', '"query": { "q": ["{{ '.length, 'secrets');
  });
});
