// On a service that chose otherwise, what it offers works where it keeps it, and what it lacks goes from the menus.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Running, serve } from '../support/servers.ts';
import { connect, run } from './commands.ts';
import { page, requirePage, viewSelector } from './page.ts';

const view = 'workflowAutomation.workflows';
const setting = 'workflowAutomation.operations';
const row = `${viewSelector(view)} .monaco-list-row:has-text("Nightly import")`;
const deployAction = `${row} .action-label[aria-label^="Deploy"]`;
const someKey = ['svc', 'sk', 'o'.repeat(20)].join('_');
const workflow = { id: 7, title: 'Nightly import', active: false };

/** Lists one workflow, and can make it live at one place that nobody would guess. */
const answer: RequestListener = (request, response) => {
  const json = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const asked = `${request.method ?? ''} ${request.url?.replace(/\?.*/, '') ?? ''}`;
  if (asked === 'GET /v1/workflows') json(200, [workflow]);
  else if (asked === 'PUT /v1/workflows/7/go-live') json(200, { data: { ...workflow, active: true } });
  else json(404, { detail: 'Not Found' });
};

describe('a service that chose otherwise', () => {
  let running: Running;
  before(async function () {
    requirePage(this);
    running = await serve(answer);
    const baseUrl = `http://127.0.0.1:${running.port}/v1`;
    await connect('Other', { baseUrl, key: someKey });
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  after(async () => {
    await vscode.workspace.getConfiguration().update(setting, undefined, vscode.ConfigurationTarget.Global);
    await running.close();
  });

  const deploy = () => run(v.object({ isDeployed: v.boolean() }), 'workflow.deploy', { workflowId: '7' });

  it('loses the entry of what it was found not to offer', async () => {
    await page.waitFor(row);
    await page.hover(row);
    await page.waitFor(deployAction);
    await assert.rejects(deploy(), /Not Found/);
    await page.waitUntilGone(deployAction);
    await page.screenshot('not-offered');
  });

  it('does it where the setting says', async () => {
    const place = { deployWorkflow: { method: 'PUT', path: '/workflows/{workflowId}/go-live' } };
    await vscode.workspace.getConfiguration().update(setting, place, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await deploy(), { isDeployed: true });
  });
});
