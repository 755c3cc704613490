// The address of a definition names its connection: it is read and saved there, whichever is active, and says so when it is gone.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { DefinitionDocument } from './definitionDocument.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const isGone = 'This connection was removed.';

describe('the definition in a connection', () => {
  let editing: DefinitionDocument;

  beforeEach(async function () {
    requirePage(this);
    editing = new DefinitionDocument();
    await editing.connect();
    await editing.begin();
  });

  it('that is not the active one is read and saved there', async () => {
    const other = new DefinitionDocument();
    await other.connect();
    await other.begin();
    await editing.change({ description: 'Mine' });
    assert.ok(await editing.document.save());
    assert.equal(await editing.stored('description'), 'Mine');
    assert.equal(await other.stored('description'), 'Says hello');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal((await vscode.workspace.openTextDocument(editing.document.uri)).isDirty, false);
    assert.equal(editing.parsed['description'], 'Mine');
    await editing.close();
    await editing.disconnect();
    await other.disconnect();
  });

  it('that was removed keeps the text that is open, and its save says why nothing was written', async () => {
    await editing.change({ description: 'Mine' });
    await editing.removeConnection();
    assert.equal(await editing.document.save(), false);
    await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes(isGone)),
    );
    await page.screenshot('definition-connection-removed');
    assert.equal(editing.parsed['description'], 'Mine');
    assert.ok(editing.document.isDirty);
    assert.equal(await editing.stored('description'), 'Says hello');
    await editing.close();
    await editing.stopService();
  });

  it('that was removed is not opened, and its editor says why', async () => {
    // Another address of the same: the first may still be held.
    const uri = editing.document.uri.with({ path: '/Another.workflow.json' });
    await editing.close();
    await editing.removeConnection();
    await vscode.commands.executeCommand('vscode.open', uri);
    await page.waitFor('.monaco-editor-pane-placeholder');
    await until(
      () => page.notifications(),
      (all) => all.join() === isGone,
    );
    await page.screenshot('definition-connection-unknown');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
    const code = vscode.commands.executeCommand(commandId('workflow.open'), {
      workflowId: editing.workflowId,
      connectionId: uri.authority,
    });
    await assert.rejects(async () => code);
    await editing.stopService();
  });
});
