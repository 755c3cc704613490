// What an expression probably doesn't mean is hinted at, with a quick fix, from the data of the latest execution.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, run } from './commands.ts';
import { applyQuickFix } from './edits.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Imported = v.object({ workflowId: v.string() });

const definition = {
  name: 'Late orders',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    {
      id: 'late',
      name: 'Late',
      type: 'transform',
      config: { expression: 'input.orders[days > input.minDays]' },
    },
    { id: 'sum', name: 'Sum', type: 'transform', config: { expression: '$sum(input.orders.prize)' } },
  ],
  edges: [
    { source: 'start', target: 'late' },
    { source: 'late', target: 'sum' },
  ],
};

describe('hints on expressions', () => {
  let service: OwnService;
  let connectionId: string;

  before(async () => {
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Hints', service);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
  });

  it('name what the data did not have and what needs "$$", and quick fixes mend both', async function () {
    requirePage(this);
    const { workflowId } = await run(Imported, 'workflow.import', { definition });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    await execute(workflowId, { minDays: 3, orders: [{ days: 5, price: 2 }] });
    const uri = vscode.Uri.parse(await run(v.string(), 'workflow.open', { workflowId }), true);
    const { document } = await vscode.window.showTextDocument(uri);
    const hints = () =>
      vscode.languages
        .getDiagnostics(uri)
        .map(({ range, severity, message }) => ({ code: document.getText(range), range, severity, message }));
    const found = await until(hints, (all) => all.length === 2);
    assert.deepEqual(
      found.map(({ code, severity, message }) => [code, severity, message]),
      [
        [
          'input',
          vscode.DiagnosticSeverity.Information,
          '"input" is looked up in each item here. Write "$$.input" for the one outside.',
        ],
        [
          'prize',
          vscode.DiagnosticSeverity.Hint,
          '"input.orders.prize" isn\'t in the data of the latest execution; did you mean "price"?',
        ],
      ],
    );
    await page.screenshot('expression-hints');
    for (const [code, mended] of [
      ['prize', '$sum(input.orders.price)'],
      ['input', 'input.orders[days > $$.input.minDays]'],
    ] as const) {
      // After an edit they are found anew.
      const range = await until(
        () => hints().find((hint) => hint.code === code)?.range,
        (place) => place !== undefined,
      );
      assert.ok(range, code);
      await applyQuickFix(document, range, 'Change to');
      assert.ok(document.getText().includes(JSON.stringify(mended)), document.getText());
    }
    await until(hints, (all) => all.length === 0);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
