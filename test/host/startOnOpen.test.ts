// A window that starts the local service by itself: what it shows takes nobody's keys away.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startLocalService } from './commands.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const field = '.quick-input-widget input:focus';
const walkthrough = '.gettingStartedContainer';

describe('a window that starts the local service', () => {
  const configuration = vscode.workspace.getConfiguration('workflowAutomation');
  after(async () => {
    await configuration.update('localService.startOnOpen', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('shows the Workflows view, and leaves the focus and what is open to who is typing', async function () {
    requirePage(this);
    await configuration.update('localService.startOnOpen', true, vscode.ConfigurationTarget.Global);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'note' }));
    const pick = vscode.window.createQuickPick();
    const hidden: true[] = [];
    pick.onDidHide(() => hidden.push(true));
    pick.items = [{ label: 'One' }];
    pick.show();
    await page.waitFor(field);
    // The app is loaded now, as it would have been with the window.
    await startLocalService();
    await until(
      () => page.rows('workflowAutomation.workflows'),
      (rows) => rows.length > 0,
    );
    assert.deepEqual(hidden, []);
    await page.waitFor(field);
    assert.deepEqual(await page.texts(walkthrough), []);
    await page.screenshot('start-on-open');
    pick.dispose();
  });
});
