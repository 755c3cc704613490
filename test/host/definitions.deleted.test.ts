// A workflow is deleted while its definition is open: the tab says so, and no text is lost with it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { listWorkflows } from './commands.ts';
import { editNewDefinitions } from './definitionDocument.ts';
import { closePrompt } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const pick = '.quick-input-widget';
/** Keys reach it. */
const createAnew = `${pick}:has(input:focus) .monaco-list-row.focused:has-text("Create Again")`;
const tab = '.tab[data-resource-name="Greeting.workflow.json"]';
const strickenTab = `${tab} .monaco-icon-label.strikethrough`;

describe('the definition of a workflow that was deleted', () => {
  before(function () {
    requirePage(this);
  });
  const editing = editNewDefinitions();

  const deleteHere = () =>
    vscode.commands.executeCommand(commandId('workflow.delete'), { workflowId: editing.workflowId });

  it('is marked in its tab after our own command, and keeps its text', async () => {
    const text = editing.document.getText();
    await deleteHere();
    await page.waitFor(strickenTab);
    await page.screenshot('definition-deleted');
    assert.equal(editing.document.getText(), text);
    assert.equal(editing.document.isDirty, false);
  });

  it('is marked, with unsaved edits too, when the view learns that somebody else deleted it', async () => {
    await vscode.commands.executeCommand(commandId('workflows.refresh'));
    await editing.change({ description: 'Mine' });
    await editing.deleteElsewhere();
    await vscode.commands.executeCommand(commandId('workflows.refresh'));
    await page.waitFor(strickenTab);
    assert.equal(editing.parsed['description'], 'Mine');
  });

  it('is marked also when it was opened after the view had read its list', async () => {
    await vscode.commands.executeCommand(commandId('workflows.refresh'));
    await editing.close();
    await editing.open();
    await editing.deleteElsewhere();
    await vscode.commands.executeCommand(commandId('workflows.refresh'));
    await page.waitFor(strickenTab);
  });

  it('keeps its text through a save and Escape; the next save asks again and can create it anew', async () => {
    await editing.change({ description: 'Mine' });
    const text = editing.document.getText();
    await editing.deleteElsewhere();
    assert.equal(await editing.document.save(), false);
    await page.waitFor(createAnew);
    await page.screenshot('definition-create-anew');
    await closePrompt();
    await page.waitFor(strickenTab);
    assert.ok(editing.document.isDirty);
    assert.equal(editing.document.getText(), text);
    assert.deepEqual(await listWorkflows(), []);

    assert.equal(await editing.document.save(), false);
    await page.waitFor(createAnew);
    await page.press('Enter');
    await page.waitUntilGone(strickenTab);
    const [created, ...others] = await listWorkflows();
    assert.ok(created && created.id !== editing.workflowId && others.length === 0);
    const shown = await until(
      () => vscode.window.activeTextEditor?.document,
      (document) => document?.uri.query === created.id,
    );
    assert.ok(shown);
    assert.equal(shown.getText(), text);
    assert.equal(shown.isDirty, false);
    await page.screenshot('definition-created-anew');
    await vscode.commands.executeCommand(commandId('workflow.delete'), { workflowId: created.id });
  });

  it('is not created anew of a text that is no JSON by then, and keeps it', async () => {
    await editing.change({ description: 'Mine' });
    await editing.deleteElsewhere();
    assert.equal(await editing.document.save(), false);
    await page.waitFor(createAnew);
    await vscode.commands.executeCommand('notifications.clearAll');
    await editing.write('{ "name": ');
    await page.press('Enter');
    await until(
      () => page.notifications(),
      (all) => all.includes("Your text isn't valid JSON, so no workflow can be created from it."),
    );
    assert.equal(editing.document.getText(), '{ "name": ');
    assert.ok(editing.document.isDirty);
    assert.deepEqual(await listWorkflows(), []);
  });

  it('goes on unsaved in the new document with what the service does not keep', async () => {
    await editing.change({ owner: 'Ada' });
    const text = editing.document.getText();
    await deleteHere();
    await page.waitFor(strickenTab);
    assert.equal(await editing.document.save(), false);
    await page.waitFor(createAnew);
    await page.press('Enter');
    const shown = await until(
      () => vscode.window.activeTextEditor?.document,
      (document) => document?.isDirty === true && document.uri.query !== editing.workflowId,
    );
    assert.ok(shown);
    assert.equal(shown.getText(), text);
    await page.waitUntilGone(strickenTab);
    await until(
      () => vscode.window.activeTextEditor?.document,
      (document) => document === shown,
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand(commandId('workflow.delete'), { workflowId: shown.uri.query });
  });
});
