// Why a call of another service failed: what was sent and answered, and where the error led, in a real VS Code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { connect, disconnect, execute, run } from './commands.ts';
import { node } from './graphPage.ts';
import { clickLens, lensLink } from './lenses.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Imported = v.object({ workflowId: v.string() });

function definitionFor(url: string) {
  return {
    name: 'Unpaid invoices',
    nodes: [
      { id: 'start', name: 'Start', type: 'trigger', config: {} },
      {
        id: 'ask',
        name: 'Read invoices',
        type: 'httpRequest',
        config: {
          method: 'POST',
          url,
          headers: { Authorization: 'Bearer {{ input.token }}' },
          body: { year: 2026 },
        },
      },
      { id: 'count', name: 'Count', type: 'transform', config: { expression: '$count(nodes.ask.body)' } },
      { id: 'tell', name: 'Tell', type: 'output', config: { expression: 'nodes.ask.error.code' } },
    ],
    edges: [
      { source: 'start', target: 'ask' },
      { source: 'ask', target: 'count' },
      { source: 'ask', target: 'tell', branch: 'error' },
    ],
  };
}

describe('a call that another service refuses', () => {
  let refusing: Server;
  let url = '';
  let service: OwnService;
  let connectionId: string;
  let executionId = '';

  before(async function () {
    requirePage(this);
    refusing = createServer((_request, response) => {
      response
        .writeHead(401, { 'Content-Type': 'application/json' })
        .end('{"reason":"The token has expired."}');
    });
    refusing.listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const address = refusing.address();
    assert.ok(address !== null && typeof address === 'object');
    url = `http://127.0.0.1:${address.port}/invoices`;
    service = await startOwnService('--requests-per-minute', '1000');
    connectionId = await connect('Invoices', service);
    const { workflowId } = await run(Imported, 'workflow.import', { definition: definitionFor(url) });
    await vscode.commands.executeCommand('workflowAutomation.workflow.deploy', { workflowId });
    const started = await execute(workflowId, { token: 'secret' });
    executionId = started.executionId ?? '';
    await until(
      () => run(v.array(v.object({ id: v.string(), status: v.string() })), 'execution.list', { workflowId }),
      (all) => all.some(({ id, status }) => id === executionId && status === 'completed'),
    );
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await disconnect(connectionId);
    await service.stop();
    refusing.closeAllConnections();
    refusing.close();
  });

  it('is in the document of its node run, without what authorizes', async () => {
    const opened = await run(v.string(), 'nodeRun.open', { executionId, nodeId: 'ask' });
    const { document } = await vscode.window.showTextDocument(vscode.Uri.parse(opened, true));
    const { error, request, response } = v.parse(
      v.object({ error: v.object({ code: v.string() }), request: v.unknown(), response: v.unknown() }),
      JSON.parse(document.getText()),
    );
    assert.equal(error.code, 'http_status');
    assert.deepEqual(request, {
      method: 'POST',
      url,
      headers: { Authorization: '***', 'Content-Type': 'application/json' },
      body: { year: 2026 },
    });
    assert.deepEqual(v.parse(v.object({ status: v.number(), body: v.unknown() }), response), {
      status: 401,
      body: { reason: 'The token has expired.' },
    });
    assert.ok(!JSON.stringify([request, response]).includes('secret'));
    await page.waitFor('.codelens-decoration a:has-text("Copy Request as cURL")');
    await page.screenshot('node-run-request');
  });

  it('can be copied as cURL', async () => {
    const command = await run(v.string(), 'nodeRun.copyAsCurl', { executionId, nodeId: 'ask' });
    assert.ok(command.startsWith(`curl --request POST '${url}' `), command);
    assert.ok(
      command.includes(`--header 'Authorization: ***'`) && command.includes(`--data-raw '{"year":2026}'`),
    );
    await clickLens(
      lensLink('Copy Request as cURL'),
      async () => (await vscode.env.clipboard.readText()) === command,
    );
  });

  it('leads over its error branch, which the graph shows', async () => {
    const output = await run(v.string(), 'execution.openOutput', { executionId });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(output, true));
    assert.equal(JSON.parse(document.getText()), 'http_status');
    await run(v.unknown(), 'execution.showInGraph', { executionId });
    await page.waitFor(node('count', 'data-state="skipped"'));
    await page.waitFor(node('tell', 'data-state="completed"'));
    await page.screenshot('error-branch-graph');
  });
});
