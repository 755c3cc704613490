// A workspace of two folders with the same name: a preset goes where the person says, and each is told from the other.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { findWorkflow, run, startLocalService } from './commands.ts';
import { replaceText } from './edits.ts';
import { ada, bob, openInput, row, textOf } from './inputDocuments.ts';
import { confirm, take } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { askForPreset, isThere, readText, untilHolds, workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const Listed = v.array(v.object({ name: v.string(), uri: v.string() }));
const saved = '.workflows/Signup check.preset.input.json';

describe('presets in a workspace of two folders', () => {
  let workflowId: string;
  let document: vscode.TextDocument;

  before(async function () {
    requirePage(this);
    await startLocalService();
    ({ id: workflowId } = await findWorkflow('Signup check'));
    document = await openInput(workflowId);
    await replaceText(document, textOf(bob));
    await document.save();
  });

  it('are saved in the folder that the person chooses', async () => {
    askForPreset();
    await take('Save Input as Preset');
    await page.waitFor(row('first/app'));
    await page.waitFor(row('second/app'));
    await page.screenshot('preset-folders');
    await take('second/app');
    await confirm('File name of the preset in "second/app"');
    await untilHolds(workspaceFile(saved, 1), textOf(bob));
    assert.equal(await isThere(workspaceFile(saved, 0)), false);
  });

  it('are listed from both, each with its folder', async () => {
    await writeText(workspaceFile(saved, 0), textOf(ada));
    askForPreset();
    await until(
      () => page.texts('.quick-input-widget .monaco-list-row .label-description'),
      (places) => places.includes('first/app/.workflows') && places.includes('second/app/.workflows'),
    );
    await page.screenshot('presets-in-folders');
    await take('first/app');
    await until(
      () => document.getText(),
      (text) => text === textOf(ada),
    );
    const listed = await run(Listed, 'workflow.inputPresets', { workflowId });
    assert.deepEqual(
      listed.map(({ uri }) => uri),
      [workspaceFile(saved, 0).toString(), workspaceFile(saved, 1).toString()],
    );
  });

  it('are saved from code in any of the folders', async () => {
    const file = workspaceFile('deep/inside/two.input.json', 1);
    await vscode.commands.executeCommand(commandId('workflow.saveInputPreset'), {
      workflowId,
      input: bob,
      fileUri: file.toString(),
    });
    assert.equal(await readText(file), textOf(bob));
  });
});
