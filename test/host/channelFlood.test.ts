// Lines that come faster than anyone can read, in a real VS Code: the channel shows the last ones, and says what it left out.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { disconnect, run } from './commands.ts';
import { startLongLogService } from './longLogService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

describe('the log channel in a flood', () => {
  let connectionId: string;
  let stop: () => void;

  before(async () => {
    ({ connectionId, stop } = await startLongLogService());
  });
  after(async () => {
    await disconnect(connectionId);
    stop();
  });

  it('leaves lines out, with a link to the log that has them', async function () {
    requirePage(this);
    await run(v.unknown(), 'execution.showLogs', { executionId: 'lines_40000' });
    const channel = () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === 'output' && uri.path.endsWith('Workflow Logs'),
      );
    const text = await until(
      () => channel()?.getText() ?? '',
      (all) => all.includes('mark-40000-'),
    );
    assert.match(text, /\n\.\.\. [\d,]+ lines omitted\. Find them in the logs of their executions: .*\n/);
    const shown = channel();
    assert.ok(shown);
    const links = await until(
      () => vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', shown.uri),
      (all) => all.some(({ target: to }) => to?.scheme === 'command'),
    );
    const link = links.findLast(({ target: to }) => to?.scheme === 'command');
    assert.ok(link);
    assert.match(shown.lineAt(link.range.start.line).text, /lines omitted/);
    await page.waitFor('.part.panel .view-line:has-text("mark-40000-")');
    await page.screenshot('long-log-channel');
  });
});
