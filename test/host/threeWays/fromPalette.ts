// What a person is asked who runs a command from the palette: one command for each way of asking. Escape in the first question does nothing.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isJsonObject, parseJson } from '../../../src/base/json.ts';
import { startLocalService } from '../commands.ts';
import { untilInFront } from '../front.ts';
import {
  accept,
  choose,
  countMatches,
  escape,
  readChoices,
  runInPalette,
  unfold,
  untilNothingIsAsked,
  untilNoRow,
  untilRow,
  write,
} from '../keyboard.ts';
import { answerNotification, clearNotifications, untilNotified } from '../notifications.ts';
import { page } from '../page.ts';
import { until } from '../until.ts';
import { type FixedCommand, titleOf } from './fixedCommands.ts';
import { echo, failing, resting, views, type World } from './world.ts';

const workflowQuestion = 'Select a workflow';
const executionQuestion = 'Select an execution';
const expiryQuestion = 'When does this key expire?';

const isTabOf = (title: string): Promise<void> => page.waitFor(`.tab.active:has-text("${title}")`);
const runCommand = (command: FixedCommand): Promise<void> => runInPalette(titleOf(command).palette);

const untilSays = (text: string): Promise<vscode.TextDocument> =>
  untilInFront((document) => document.getText().includes(text));

export function testWorkflowsFromPalette(world: World): void {
  it('a workflow is chosen; Escape opens none', async () => {
    await world.imported('Opened');
    const before = await world.readAll();
    await runCommand('workflow.open');
    await escape(workflowQuestion);
    assert.deepEqual(await world.readAll(), before);
    await runCommand('workflow.open');
    await choose(workflowQuestion, 'Opened');
    await isTabOf('Opened.workflow.json');
  });

  it('a workflow is chosen among those that the command is for, and the act is confirmed; Escape does nothing', async () => {
    await world.imported('Not deployed');
    await world.deploy(await world.imported('Deployed'));
    const confirmation = 'Undeploy workflow "Deployed"?';
    const ask = async () => {
      await runCommand('workflow.undeploy');
      const offered = await readChoices(workflowQuestion);
      assert.ok(offered.includes('Deployed') && !offered.includes('Not deployed'), offered.join());
      await choose(workflowQuestion, 'Deployed');
    };
    await ask();
    await escape(confirmation);
    assert.equal((await world.workflow('Deployed'))?.isDeployed, true);
    await ask();
    await choose(confirmation, 'Undeploy');
    await until(
      () => world.workflow('Deployed'),
      (workflow) => workflow?.isDeployed === false,
    );
  });

  it('a workflow is executed by way of its input', async () => {
    await world.deploy(await world.imported('Executed'));
    await runCommand('workflow.execute');
    await choose(workflowQuestion, 'Executed');
    await isTabOf('Executed');
    await untilInFront(({ uri }) => uri.scheme === 'workflow-input');
    assert.deepEqual(await world.executionsOf('Executed'), []);
    // What is asked for in the input document runs it.
    await runCommand('workflow.execute');
    await until(
      () => world.executionsOf('Executed'),
      ({ length }) => length === 1,
    );
  });

  it('a workflow is created from a starting point and a name, and copied under another', async () => {
    const before = await world.readAll();
    await runCommand('workflow.create');
    await escape('Select a starting point');
    assert.deepEqual(await world.readAll(), before);
    await runCommand('workflow.create');
    await choose('Select a starting point', 'Blank');
    await write('Name of the new workflow', 'Created');
    await isTabOf('Created.workflow.json');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await runCommand('workflow.duplicate');
    await choose(workflowQuestion, 'Created');
    await write('Name of the copy', 'Copied from Created');
    await untilRow(views.workflows, 'Copied from Created');
  });

  it('a workflow is imported from the clipboard', async () => {
    await vscode.env.clipboard.writeText(JSON.stringify(echo('From the clipboard')));
    await runCommand('workflow.import');
    await choose('Import workflows from…', 'From the Clipboard');
    await untilRow(views.workflows, 'From the clipboard');
  });

  it("a workflow is exported to the file that the editor's own dialog suggests", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('There is no folder.');
    const path = join(folder, 'Exported.workflow.json');
    await world.imported('Exported');
    await runCommand('workflow.export');
    await choose(workflowQuestion, 'Exported');
    await accept('Export Workflow');
    await answerNotification('"Exported" was exported to', 'Open');
    await untilInFront(({ uri }) => uri.fsPath === path);
    const definition = existsSync(path) && parseJson(readFileSync(path, 'utf8'));
    assert.ok(isJsonObject(definition) && definition['name'] === 'Exported');
    rmSync(path);
  });
}

export function testExecutionsFromPalette(world: World): void {
  it('an execution is chosen; Escape opens none', async () => {
    await world.executed(echo('Chosen'), {});
    const before = await world.readAll();
    await runCommand('execution.open');
    await escape(executionQuestion);
    assert.deepEqual(await world.readAll(), before);
    await runCommand('execution.open');
    await choose(executionQuestion, 'Chosen');
    await untilSays('"completed"');
  });

  it('an execution is compared with another, never with itself', async () => {
    await world.executed(echo('Greeting'), { greeting: 'Hello' });
    await world.executed(echo('Farewell'), { farewell: 'Goodbye' });
    await runCommand('execution.compare');
    const offered = await countMatches(executionQuestion, 'Greeting');
    await page.press('Enter');
    const question = 'Select an execution to compare with';
    assert.equal(await countMatches(question, 'Greeting'), offered - 1);
    await page.press('Control+A');
    await choose(question, 'Farewell');
    await isTabOf('↔');
    await untilSays('First difference');
  });

  it('an execution is chosen among those that the command is for', async () => {
    const asleep = await world.executed(resting('Asleep'), {});
    const unlucky = await world.executed(failing('Unlucky'), {});
    await world.untilStatus(unlucky, 'failed');
    await vscode.commands.executeCommand('workflowAutomation.execution.showLogs', { executionId: asleep });
    for (const [command, question, name, others] of [
      ['execution.stopFollowing', 'Select an execution to stop following', 'Asleep', ['Unlucky', 'Chosen']],
      ['execution.cancel', 'Select an execution to cancel', 'Asleep', ['Unlucky', 'Chosen']],
      ['execution.retry', 'Select an execution to retry', 'Unlucky', ['Chosen']],
    ] as const) {
      await runCommand(command);
      const offered = await readChoices(question);
      assert.ok(offered.includes(name) && !others.some((each) => offered.includes(each)), offered.join());
      await choose(question, name);
    }
    await world.untilStatus(asleep, 'cancelled');
    await until(
      () => world.executionsOf('Unlucky'),
      ({ length }) => length === 2,
    );
  });

  it('a portal event is chosen, and its payload opened', async () => {
    await runCommand('portalEvents.list');
    await choose('Select a portal event to open its payload', 'workflow.created');
    await isTabOf('workflow.created');
  });
}

export function testConnectionsFromPalette(world: World): void {
  it('a connection is added step by step; Escape adds none', async () => {
    await runCommand('connection.add');
    await escape('What do you connect to?');
    await runCommand('connection.add');
    await choose('What do you connect to?', 'Workflow Service');
    await write('Base URL including the version', world.service.baseUrl);
    await write('API key', world.service.key);
    await write('Name of the connection', 'Added');
    await choose(expiryQuestion, 'Never');
    await untilRow(views.connections, 'Added', ({ description }) => description.startsWith('active'));
    const rows = await page.rows(views.connections);
    assert.equal(rows.filter(({ label }) => label === 'Added').length, 1);
  });

  it('a connection is chosen, and removed once that is confirmed', async () => {
    await world.connect('Removed');
    await runCommand('connection.remove');
    await choose('Select a connection', 'Removed');
    await choose('Remove connection "Removed"?', 'Remove');
    await untilNoRow(views.connections, 'Removed');
  });

  it('a connection is diagnosed without a question, in a document without its key', async () => {
    await world.connect('Diagnosed');
    await runCommand('connection.diagnose');
    const report = await untilSays(world.service.baseUrl);
    assert.ok(!report.getText().includes(world.service.key));
    assert.match(report.getText(), /^5\. Request with key \(list workflows\): ok, \d+ ms$/m);
    assert.deepEqual([report.uri.scheme, report.isDirty], ['workflow-diagnosis', false]);
  });

  it('a key of the local service is shown once, and revoked once that is confirmed', async () => {
    await startLocalService();
    await vscode.env.clipboard.writeText('');
    await runCommand('apiKey.create');
    await write('Name, for example the app that uses it', 'Palette');
    await choose(expiryQuestion, 'In 30 days');
    await choose('API key "Palette" created', 'Copy Key');
    await until(
      async () => vscode.env.clipboard.readText(),
      (text) => text.startsWith('svc_sk_'),
    );
    await unfold(views.connections, 'Local service');
    await untilRow(views.connections, 'Palette', ({ description }) =>
      description.includes('expires in 30 days'),
    );
    await runCommand('apiKey.revoke');
    await choose('Select the API key to revoke', 'Palette');
    await choose('Revoke API key "Palette"?', 'Revoke');
    await untilRow(views.connections, 'Palette', ({ description }) => description.endsWith('revoked'));
  });

  it('it is said at once, before any question, that the local service is not running', async () => {
    await vscode.commands.executeCommand('workflowAutomation.localService.stop');
    for (const command of ['apiKey.create', 'apiKey.revoke'] as const) {
      await clearNotifications();
      await runCommand(command);
      await untilNothingIsAsked();
      await untilNotified("The local service isn't running. Keys of other services");
    }
  });
}
