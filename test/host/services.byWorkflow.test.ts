// A service that lists executions by workflow only says so in the view, and one choice makes the list work.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { serveOdd } from '../support/odd/serveOdd.ts';
import type { Running } from '../support/servers.ts';
import { clickUntil } from './clicks.ts';
import { connect, listWorkflows } from './commands.ts';
import { untilInFront } from './front.ts';
import { isAsking, take } from './keyboard.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.executions';
const call = (name: string, ...values: readonly unknown[]) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, ...values);
const someKey = ['svc', 'sk', 'b'.repeat(20)].join('_');
const welcome = `${viewSelector(view)} .welcome-view-content:has-text("lists executions by workflow")`;

describe('a service that keeps executions below their workflow', () => {
  let running: Running;
  before(async function () {
    requirePage(this);
    running = await serveOdd({
      title: 'with executions below their workflow',
      places: {
        listExecutions: 'GET /workflows/:workflowId/executions',
        getExecution: 'GET /workflows/:workflowId/executions/:executionId',
      },
    });
    const baseUrl = `http://127.0.0.1:${running.port}/v1`;
    await connect('By workflow', { baseUrl, key: someKey });
    const first = (await listWorkflows()).find(({ name }) => name === 'First');
    assert.ok(first);
    await call('workflow.deploy', { workflowId: first.id });
    await call('workflow.execute', { workflowId: first.id, input: {} });
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  after(() => running.close());

  it('says so, with a button to choose a workflow, after which they are listed', async () => {
    await page.waitFor(welcome);
    await page.screenshot('executions-by-workflow');
    await clickUntil(`${welcome} .monaco-button:has-text("Select a Workflow…")`, isAsking);
    await take('First');
    await until(
      () => page.rows(view),
      (all) => all.map(({ label }) => label).join() === 'Clear Filter,First',
    );
    await page.waitFor(`${viewSelector(view)} .message:has-text("Showing First only")`);
    await page.screenshot('executions-by-workflow-chosen');
  });

  it('asks for the workflow first where an execution is to be chosen', async () => {
    const opened = call('execution.open');
    await page.waitFor('.quick-input-widget:has-text("Second")');
    await take('First');
    await page.waitFor('.quick-input-widget .monaco-list-row:has-text("completed")');
    await page.screenshot('choose-execution-by-workflow');
    await take('completed');
    await opened;
    await untilInFront(({ uri }) => uri.scheme === 'workflow-execution');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says so again when the filter is cleared', async () => {
    await call('executions.clearFilter');
    await page.waitFor(welcome);
  });
});
