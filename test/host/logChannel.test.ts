// Of a long log that is known already, the channel shows the last lines and says what it left out, in a real VS Code.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { disconnect, run } from './commands.ts';
import { startLongLogService } from './longLogService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const target = { executionId: 'lines_5000' };

describe('the log channel with a long log', () => {
  let connectionId: string;
  let stop: () => void;

  before(async () => {
    ({ connectionId, stop } = await startLongLogService());
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    stop();
  });

  it('leaves lines out, with a link to the log that has them', async function () {
    requirePage(this);
    const uri = await run(v.string(), 'execution.openLog', target);
    const log = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    await until(
      () => log.lineAt(log.lineCount - 2).text,
      (line) => line.endsWith('[info] completed'),
    );
    await run(v.unknown(), 'execution.showLogs', target);
    const channel = () =>
      vscode.workspace.textDocuments.find(
        (each) => each.uri.scheme === 'output' && each.uri.path.endsWith('Workflow Logs'),
      );
    const text = await until(
      () => channel()?.getText() ?? '',
      (all) => all.includes('mark-5000-'),
    );
    const mark = '... 3,000 lines omitted. Find them in the logs of their executions: ';
    const lines = text.split('\n');
    const markAt = lines.findIndex((line) => line.startsWith(mark));
    assert.match(lines[markAt + 1] ?? '', /mark-3001-/);
    assert.ok(!text.includes('mark-3000-'));
    const shown = channel();
    assert.ok(shown);
    const links = await until(
      () => vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', shown.uri),
      (all) => all.some(({ target: to }) => to?.scheme === 'command'),
    );
    const link = links.findLast(({ target: to }) => to?.scheme === 'command');
    assert.ok(link);
    assert.ok(shown.lineAt(link.range.start.line).text.startsWith(mark));
    await page.waitFor('.part.panel .view-line:has-text("mark-5000-")');
    await page.screenshot('long-log-channel');
  });
});
