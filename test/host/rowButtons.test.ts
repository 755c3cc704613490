// The rows of past inputs and of presets have buttons of their own; each must do what it says.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId, type CommandName } from '../../src/editor/commands/names.ts';
import { clickUntil } from './clicks.ts';
import { execute, findWorkflow, startLocalService } from './commands.ts';
import { ada, bob, openInput, row, textOf } from './inputDocuments.ts';
import { untilUriInFront } from './front.ts';
import { confirm } from './keyboard.ts';
import { page, requirePage } from './page.ts';
import { untilHolds, workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

const pick = '.quick-input-widget';

/** Presses a button of a row, which takes the rows away. */
async function press(rowText: string, name: string): Promise<void> {
  await page.hover(row(rowText));
  await clickUntil(
    `${row(rowText)} .action-label[aria-label="${name}"]`,
    async () => !(await page.isThere(row(rowText))),
  );
}

/** Runs a command as the palette does, and waits for its rows. */
async function ask(name: CommandName, rowText: string): Promise<void> {
  void vscode.commands.executeCommand(commandId(name));
  await page.waitFor(row(rowText));
  await page.waitFor(`${pick} input:focus`);
}

describe('buttons of rows', () => {
  let workflowId: string;

  before(async function () {
    requirePage(this);
    await startLocalService();
    ({ id: workflowId } = await findWorkflow('Signup check'));
    await vscode.commands.executeCommand(commandId('workflow.deploy'), { workflowId });
    await execute(workflowId, ada);
    await execute(workflowId, bob);
  });
  beforeEach(() => openInput(workflowId));

  it('copy a past input, and leave the document as it is', async () => {
    const before = vscode.window.activeTextEditor?.document.getText();
    await ask('workflow.inputHistory', 'Ada');
    await page.hover(row('Ada'));
    await page.screenshot('history-buttons');
    await press('Ada', 'Copy');
    await until(
      async () => vscode.env.clipboard.readText(),
      (text) => text === textOf(ada),
    );
    assert.equal(vscode.window.activeTextEditor?.document.getText(), before);
  });

  it('save a past input as a preset', async () => {
    await ask('workflow.inputHistory', 'Bob');
    await press('Bob', 'Save as Preset…');
    await confirm('File name of the preset');
    await untilHolds(workspaceFile('.workflows/Signup check.preset.input.json'), textOf(bob));
  });

  it('open the file of a preset', async () => {
    const file = workspaceFile('inputs/cleo.input.json');
    await writeText(file, textOf({ name: 'Cleo' }));
    await ask('workflow.inputPresets', 'cleo');
    await press('cleo', 'Open the File');
    await untilUriInFront(file.toString());
  });
});
