// A workspace may lie in a repository elsewhere or in an archive: presets are read and written there too, where nothing can be searched.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { findWorkflow, run, startLocalService } from './commands.ts';
import { replaceText } from './edits.ts';
import { ada, bob, history, openInput, row, textOf } from './inputDocuments.ts';
import { confirm, take } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { drawnLens, pressLens } from './lenses.ts';
import { askForPreset, untilHolds, workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const Listed = v.array(v.object({ name: v.string(), uri: v.string() }));
const saved = '.workflows/Signup check.preset.input.json';

describe('presets in a virtual workspace', () => {
  let workflowId: string;

  before(async () => {
    assert.equal(workspaceFile('x').scheme, 'test-files');
    await startLocalService();
    ({ id: workflowId } = await findWorkflow('Signup check'));
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
  });

  it('are saved and loaded', async function () {
    requirePage(this);
    const document = await openInput(workflowId);
    await replaceText(document, textOf(bob));
    await document.save();
    askForPreset();
    await take('Save Input as Preset');
    await confirm('File name of the preset');
    await untilHolds(workspaceFile(saved), textOf(bob));
    await replaceText(document, textOf(ada));
    await document.save();
    askForPreset();
    await page.waitFor(row('Signup check.preset'));
    await page.screenshot('presets-virtual');
    await take('Signup check.preset');
    await until(
      () => document.getText(),
      (text) => text === textOf(bob),
    );
  });

  it('are found in any folder but those of packages', async () => {
    await writeText(workspaceFile('inputs/of/others/deep.input.json'), textOf(ada));
    await writeText(workspaceFile('node_modules/package/not.input.json'), textOf(ada));
    const listed = await run(Listed, 'workflow.inputPresets', { workflowId });
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['Signup check.preset', 'deep'],
    );
  });

  it('are executed from their files', async function () {
    requirePage(this);
    const { document } = await vscode.window.showTextDocument(
      workspaceFile('inputs/of/others/deep.input.json'),
    );
    await page.waitFor(drawnLens('Execute with…'));
    await pressLens(document, 'Execute with…');
    await take('Signup check');
    await page.waitFor(drawnLens('Execute "Signup check"'));
    const [newest] = await until(
      () => history(workflowId),
      ([first]) => first?.input['name'] === 'Ada',
    );
    assert.deepEqual(newest?.input, ada);
  });
});
