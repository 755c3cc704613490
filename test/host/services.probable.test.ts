// Where a service does not tell which execution was started, its end is spoken of all the same, as what it is: probably yours.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { unlinkedExecutions } from '../api/odd/oddServices.ts';
import { serveOdd } from '../support/odd/serveOdd.ts';
import type { Running } from '../support/servers.ts';
import { connect, execute, listWorkflows, run } from './commands.ts';
import { untilNotified } from './notifications.ts';
import { page, requirePage } from './page.ts';

const someKey = ['svc', 'sk', 'p'.repeat(20)].join('_');
const setNotify = (value: string | undefined) =>
  vscode.workspace
    .getConfiguration('workflowAutomation')
    .update('notify', value, vscode.ConfigurationTarget.Global);

describe('an execution that is probably the one that was started', () => {
  let running: Running;
  before(async function () {
    requirePage(this);
    running = await serveOdd({ title: 'with executions that name no event', ...unlinkedExecutions });
    const baseUrl = `http://127.0.0.1:${running.port}/v1`;
    await connect('Unlinked', { baseUrl, key: someKey });
    await setNotify('all');
  });
  after(async () => {
    await setNotify(undefined);
    await running.close();
  });

  it('is followed, and its end is told as probably yours', async () => {
    const workflow = (await listWorkflows()).find(({ name }) => name === 'First');
    assert.ok(workflow);
    await run(v.unknown(), 'workflow.deploy', { workflowId: workflow.id });
    const { executionId } = await execute(workflow.id, {});
    assert.equal(executionId, undefined);
    await untilNotified('The newest one is probably yours');
    await untilNotified('Probably yours: "First" completed');
    await page.screenshot('notice-probable');
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('notifications.hideList');
  });
});
