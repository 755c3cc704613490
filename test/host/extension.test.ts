// The least that must be true in a real VS Code: the extension is there, wakes, and is drawn.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { page, requirePage } from './page.ts';

const id = 'workflow-automation.workflow-automation';

describe('the extension in VS Code', () => {
  it('is there and activates', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('shows its views when its icon is clicked', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('workbench.view.extension.workflowAutomation');
    await page.waitFor('.pane-header .title:has-text("Connections")');
    await page.screenshot('views');
  });
});
