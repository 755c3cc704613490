// An n8n is used in all ways, and its two secrets are then looked for in whatever the extension wrote, copied, showed and sent.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { recordedToken } from '../support/n8n/recordedMcp.ts';
import { recordedKey, type RecordedN8n } from '../support/n8n/recordedN8n.ts';
import { turnOf } from '../support/n8n/world.ts';
import { execute, listExecutions, run } from './commands.ts';
import { type OwnN8n, startOwnN8n } from './ownN8n.ts';
import { requirePage } from './page.ts';
import { until } from './until.ts';
import { filesHolding } from './userData.ts';

const Uris = v.array(v.string());
const nodes = [
  {
    id: 'n1',
    name: 'Input',
    type: 'n8n-nodes-base.webhook',
    webhookId: 'hook',
    parameters: { path: 'orders', httpMethod: 'POST' },
  },
  { id: 'n2', name: 'Price', type: 'n8n-nodes-base.code', parameters: {} },
];
const connections = { Input: { main: [[{ node: 'Price', type: 'main', index: 0 }]] } };
const settings = { saveExecutionProgress: true, availableInMCP: true };

async function textAt(uri: string): Promise<string> {
  return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true))).getText();
}

describe('the secrets of an n8n', () => {
  let n8n: RecordedN8n;
  let own: OwnN8n;
  let connectionId: string;
  let workflowId: string;
  let executionIds: readonly string[];
  let folder: string;
  /** What was written, copied or shown, by what it is. */
  const traces = new Map<string, string>();

  before(async function () {
    requirePage(this);
    folder = mkdtempSync(join(tmpdir(), 'traces-'));
    own = await startOwnN8n();
    ({ n8n } = own);
    n8n.play = ({ id, startedAt }) => {
      n8n.ran(id, 'Price', turnOf(Date.parse(startedAt) + 5, 1, [{ total: id }], { previousNode: 'Input' }));
      n8n.end(id, 'success');
    };
    connectionId = await own.connect(recordedToken);
    const definition = { name: 'Orders', nodes, connections, settings };
    ({ workflowId } = await run(v.object({ workflowId: v.string() }), 'workflow.import', { definition }));
    await run(v.unknown(), 'workflow.deploy', { workflowId });
  });
  after(async () => {
    await own.stop();
    rmSync(folder, { recursive: true });
  });

  it('are in none of what is read of executions that the token and the webhook started', async () => {
    const started = await execute(workflowId, { price: 3 });
    n8n.end(Number(started.executionId), 'success');
    await run(v.unknown(), 'connection.replaceMcpToken', { connectionId, mcpToken: '' });
    await execute(workflowId, { price: 4 });
    await run(v.unknown(), 'connection.replaceMcpToken', { connectionId, mcpToken: recordedToken });
    const listed = await until(
      listExecutions,
      (all) => all.length === 2 && all.every(({ status }) => status === 'completed'),
    );
    executionIds = listed.map(({ id }) => id);
    assert.deepEqual(executionIds, ['2', '1']);
    for (const executionId of executionIds)
      for (const name of [
        'execution.open',
        'execution.openInput',
        'execution.openOutput',
        'execution.openLog',
        'execution.openTimeline',
      ] as const)
        traces.set(`${name} ${executionId}`, await textAt(await run(v.string(), name, { executionId })));
    assert.match(traces.get('execution.openOutput 2') ?? '', /"total": 2/);
  });

  it('are in no export, no saved log, no report, no comparison and no link', async () => {
    const [executionId = '', otherExecutionId = ''] = executionIds;
    const fileUri = vscode.Uri.file(join(folder, 'saved.log')).toString();
    await run(v.unknown(), 'execution.saveLog', { executionId, fileUri });
    const exported = await run(v.record(v.string(), v.unknown()), 'workflow.export', { workflowId });
    assert.deepEqual(exported['connections'], connections);
    traces.set('export', JSON.stringify(exported));
    const report = await run(v.string(), 'execution.copyReport', { executionId });
    assert.match(report, /Orders/);
    traces.set('report', report);
    const compared = await run(Uris, 'execution.compare', { executionId, otherExecutionId });
    for (const [index, uri] of compared.entries()) traces.set(`comparison ${index}`, await textAt(uri));
    traces.set('link', await run(v.string(), 'execution.copyLink', { executionId }));
    traces.set('diagnosis', await run(v.string(), 'connection.diagnose', { connectionId }));
    for (const file of readdirSync(folder)) traces.set(file, readFileSync(join(folder, file), 'utf8'));
    assert.ok(traces.has('saved.log'));
  });

  it('are masked where an n8n quotes them', async () => {
    const body = { message: `not for ${recordedKey} nor ${recordedToken}` };
    n8n.instead = (call) => (call.endsWith('/deactivate') ? { status: 500, body } : undefined);
    const undeploying = run(v.unknown(), 'workflow.undeploy', { workflowId });
    const error: unknown = await undeploying.then(
      () => assert.fail('It was undeployed.'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Error);
    assert.match(error.message, /not for \[redacted key\] nor \[redacted key\]/);
    traces.set('error', `${error.message} ${error.stack ?? ''}`);
    traces.set('documents', vscode.workspace.textDocuments.map((each) => each.getText()).join('\n'));
  });

  it('were nowhere in all that, nor in any file, nor sent where they do not belong', async () => {
    for (const [name, text] of traces) {
      assert.notEqual(text, '', name);
      for (const secret of [recordedKey, recordedToken]) assert.ok(!text.includes(secret), name);
    }
    assert.ok(traces.size > 15, [...traces.keys()].join());
    await until(
      () => [recordedKey, recordedToken].flatMap(filesHolding),
      (files) => files.length === 0,
    );
    const doors = new Set<string>();
    for (const { url, headers, text } of n8n.requests) {
      const [door = ''] = /^\/(api\/v1|mcp-server\/http|webhook)(?=[/?]|$)/.exec(url) ?? [];
      doors.add(door);
      const sent = JSON.stringify([url, headers, text]);
      assert.equal(sent.includes(recordedKey), door === '/api/v1', url);
      assert.equal(sent.includes(recordedToken), door === '/mcp-server/http', url);
    }
    // A diagnosis asks the server itself.
    assert.deepEqual([...doors].sort(), ['', '/api/v1', '/mcp-server/http', '/webhook']);
  });
});
