// Data of the local service that are set aside when they're damaged, or deleted: the service starts anew.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandId } from '../../src/editor/commands/names.ts';
import { findWorkflow, listWorkflows, run, startLocalService } from './commands.ts';
import { take } from './keyboard.ts';
import { answerNotification } from './notifications.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const storage = join(process.env['WORKFLOW_TEST_USER_DATA'] ?? '', 'User', 'globalStorage');
const dataFolder = join(storage, 'workflow-automation.workflow-automation', 'local-service');

describe('damaged data of the local service', () => {
  before(function () {
    requirePage(this);
  });
  after(async () => {
    await vscode.commands.executeCommand(commandId('localService.stop'));
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('are set aside by the button of the error, and the samples are there', async () => {
    mkdirSync(dataFolder, { recursive: true });
    const damaged = 'x'.repeat(5000);
    writeFileSync(join(dataFolder, 'service.db'), damaged);
    void vscode.commands.executeCommand(commandId('localService.start'));
    await answerNotification("The local service's data can't be read", 'Archive Data…');
    await take('Archive and Start Over');
    const shown = await until(
      () => page.notifications(),
      (all) => all.some((text) => text.includes("The local service's data is now in")),
    );
    const folder = readdirSync(dataFolder).find((name) => name.startsWith('set-aside-')) ?? '';
    assert.ok(
      shown.some((text) => text.includes(folder)),
      shown.join('\n'),
    );
    assert.equal(readFileSync(join(dataFolder, folder, 'service.db'), 'utf8'), damaged);
    const workflows: unknown = await vscode.commands.executeCommand(commandId('workflow.list'), {});
    assert.equal(Array.isArray(workflows) && workflows.length, 3);
  });
});

describe('a reset of the local service', () => {
  after(async () => {
    await vscode.commands.executeCommand(commandId('localService.stop'));
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('from code deletes what was there, asks nothing, and starts with the samples', async () => {
    await startLocalService();
    const { id } = await findWorkflow('Order totals');
    await vscode.commands.executeCommand(commandId('workflow.delete'), { workflowId: id });
    assert.equal((await listWorkflows()).length, 2);
    const Started = v.object({ connectionId: v.string(), baseUrl: v.string() });
    await run(Started, 'localService.reset', {});
    const samples = (await listWorkflows()).map((workflow) => workflow.id);
    assert.equal(samples.length, 3);
    assert.ok(!samples.includes(id));
  });
});
