// In a workspace that is not trusted all works but what reads its files; that says why, and works as soon as it is trusted.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { clickUntil } from './clicks.ts';
import { execute, findWorkflow, startLocalService } from './commands.ts';
import { replaceText } from './edits.ts';
import { ada, bob, history, openInput, row, textOf } from './inputDocuments.ts';
import { confirm, take } from './keyboard.ts';
import { clearNotifications, untilNotified } from './notifications.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { askForPreset, untilThere, workspaceFile, writeText } from './presetFiles.ts';
import { skip } from './skip.ts';
import { until } from './until.ts';
import { markKeyDespiteWorkspace } from './workspaceGuard.ts';

const workflowsView = 'workflowAutomation.workflows';

describe('a workspace that is not trusted', () => {
  let workflowId: string;

  before(function () {
    requirePage(this);
    if (vscode.workspace.isTrusted) skip(this, 'the runner of a desktop VS Code switches trust off');
  });

  it('shows workflows, executes them and keeps their inputs', async () => {
    await startLocalService();
    ({ id: workflowId } = await findWorkflow('Signup check'));
    await vscode.commands.executeCommand(`${workflowsView}.focus`);
    await page.waitFor(`${viewSelector(workflowsView)} .monaco-list-row:has-text("Signup check")`);
    await vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId });
    await execute(workflowId, ada);
    const document = await openInput(workflowId);
    await replaceText(document, textOf(bob));
    await vscode.commands.executeCommand(commandId('workflow.execute'));
    const [newest] = await until(
      () => history(workflowId),
      ([first]) => first?.input['name'] === 'Bob',
    );
    assert.deepEqual(newest?.input, bob);
    await page.screenshot('untrusted');
  });

  it('cannot switch off the warning of API keys', () => markKeyDespiteWorkspace());

  it('says why there are no presets', async () => {
    await writeText(workspaceFile('theirs.input.json'), textOf(ada));
    await openInput(workflowId);
    askForPreset();
    await untilNotified("this workspace isn't trusted");
    await page.screenshot('presets-untrusted');
    await clearNotifications();
    for (const [name, argument] of [
      ['workflow.inputPresets', { workflowId }],
      ['preset.execute', { workflowId, fileUri: workspaceFile('theirs.input.json').toString() }],
      [
        'workflow.saveInputPreset',
        { workflowId, input: ada, fileUri: workspaceFile('mine.input.json').toString() },
      ],
    ] as const)
      await assert.rejects(async () => vscode.commands.executeCommand(commandId(name), argument), /trusted/);
  });

  it('has presets as soon as it is trusted', async () => {
    await vscode.commands.executeCommand('workbench.trust.manage');
    await page.screenshot('trust');
    await clickUntil(
      '.workspace-trust-editor .monaco-button:text-is("Trust")',
      () => vscode.workspace.isTrusted,
    );
    await openInput(workflowId);
    askForPreset();
    await page.waitFor(row('theirs'));
    await page.screenshot('presets-trusted');
    await take('Save Input as Preset');
    await confirm('File name of the preset');
    await untilThere(workspaceFile('.workflows/Signup check.preset.input.json'));
  });
});
