// Inputs as files of the workspace: saved, found, loaded, executed, and bad ones told apart.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { findWorkflow, startLocalService } from './commands.ts';
import { replaceText } from './edits.ts';
import { ada, bob, history, openInput, row, textOf } from './inputDocuments.ts';
import { confirm, take } from './keyboard.ts';
import { clearNotifications, untilNotified } from './notifications.ts';
import { page, requirePage } from './page.ts';
import { drawnLens, pressLens } from './lenses.ts';
import { askForPreset, untilHolds, workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

describe('presets', () => {
  let workflowId: string;

  before(async () => {
    await startLocalService();
    ({ id: workflowId } = await findWorkflow('Signup check'));
    await vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId });
  });

  const saved = '.workflows/Signup check.preset.input.json';

  it('saves one where the person says, and loads it', async function () {
    requirePage(this);
    const document = await openInput(workflowId);
    await replaceText(document, textOf(bob));
    await document.save();
    askForPreset();
    await take('Save Input as Preset');
    await page.waitFor('.quick-input-widget .quick-input-message:has-text("File name of the preset")');
    await page.screenshot('preset-save');
    await confirm('File name of the preset');
    await untilHolds(workspaceFile(saved), textOf(bob));

    await replaceText(document, textOf(ada));
    await document.save();
    askForPreset();
    await page.waitFor(row('Signup check.preset'));
    await page.screenshot('presets');
    await take('Signup check.preset');
    await until(
      () => document.getText(),
      (text) => text === textOf(bob),
    );
  });

  it('says what is wrong with a bad file, and leaves the document alone', async function () {
    requirePage(this);
    await writeText(workspaceFile('elsewhere/bad.input.json'), '{ "name": ');
    const document = await openInput(workflowId);
    askForPreset();
    await page.waitFor(row('elsewhere'));
    await until(page.quickPick, ([first]) => first === 'Signup check.preset');
    await take('elsewhere');
    await untilNotified('"bad.input.json" isn\'t a valid input. Line 1: ');
    assert.equal(document.getText(), textOf(bob));
    await clearNotifications();
  });

  it('executes a workflow from the file, and remembers which', async function () {
    requirePage(this);
    const cleo = { name: 'Cleo', email: 'cleo@example.com' };
    const file = workspaceFile('cleo.input.json');
    await writeText(file, textOf(cleo));
    const { document } = await vscode.window.showTextDocument(file);
    await page.waitFor(drawnLens('Execute with…'));
    await pressLens(document, 'Execute with…');
    await take('Signup check');
    await page.waitFor(drawnLens('Execute "Signup check"'));
    await page.screenshot('preset-lens');
    const [newest] = await until(
      () => history(workflowId),
      ([first]) => first?.input['name'] === 'Cleo',
    );
    assert.deepEqual(newest?.input, cleo);
  });

  it('saves from code only where a preset may be', async () => {
    const outside = vscode.Uri.joinPath(workspaceFile('.'), '..', 'outside.input.json');
    const save = (fileUri: vscode.Uri) =>
      vscode.commands.executeCommand(commandId('workflow.saveInputPreset'), {
        workflowId,
        input: ada,
        fileUri: fileUri.toString(),
      });
    await assert.rejects(() => Promise.resolve(save(outside)), /workspace/);
    await assert.rejects(() => Promise.resolve(save(workspaceFile('a.json'))), /workspace/);
  });
});
