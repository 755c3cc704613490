// Why: the log of an execution and outputs of every kind and size are read as documents, in a real VS Code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { execute, findWorkflow, run } from './commands.ts';
import { startOwnService } from './ownService.ts';
import type { OwnService } from './ownService.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Connection = v.object({ connectionId: v.string() });
const Imported = v.object({ workflowId: v.string() });

async function openLog(executionId: string): Promise<vscode.TextDocument> {
  const uri = await run(v.string(), 'execution.openLog', { executionId });
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
}

const symbolsOf = ({ uri }: vscode.TextDocument) =>
  vscode.commands.executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', uri);

const wait = { id: 'rest', name: 'Rest', type: 'delay', config: { milliseconds: 30_000 } };
const slow = {
  name: 'Slow greeting',
  nodes: [
    { id: 'start', name: 'Start', type: 'trigger', config: {} },
    { id: 'greet', name: 'Greet', type: 'log', config: { message: 'Hello {{ input.name }}' } },
    wait,
    { id: 'bye', name: 'Bye', type: 'log', config: { message: 'Bye {{ input.name }}' } },
  ],
  edges: [
    { source: 'start', target: 'greet' },
    { source: 'greet', target: 'rest' },
    { source: 'rest', target: 'bye' },
  ],
};

describe('the log document of an execution', () => {
  let service: OwnService;
  let connectionId: string;

  before(async () => {
    service = await startOwnService('--samples', '--requests-per-minute', '1000');
    const { baseUrl, key: apiKey } = service;
    ({ connectionId } = await run(Connection, 'connection.add', { name: 'Logs', baseUrl, apiKey }));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run(v.unknown(), 'connection.remove', { connectionId });
    await service.stop();
  });

  it('has every line, an outline by node run, and folds', async function () {
    const { id } = await findWorkflow('Order totals');
    await run(v.unknown(), 'workflow.deploy', { workflowId: id });
    const lines = ['Tea', 'Milk'].map((product) => ({ product, quantity: 2, price: 1.5 }));
    const { executionId } = await execute(id, { lines, taxPercent: 7 });
    assert.ok(executionId);
    const document = await openLog(executionId);
    assert.equal(document.languageId, 'log');
    await until(
      () => document.getText(),
      (text) => text.includes('[info] completed in '),
    );
    assert.match(document.getText(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w+\] Order placed: /);
    const symbols = await until(
      () => symbolsOf(document),
      (all) =>
        all.some(({ name, detail }) => name === 'Say the line [2]' && detail.startsWith('completed · ')),
    );
    assert.equal(symbols.filter(({ name }) => name === 'Add up').length, 1);
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      document.uri,
    );
    assert.ok(folds.length >= 4);
    requirePage(this);
    await vscode.commands.executeCommand('outline.focus');
    await page.waitFor('.outline-tree .monaco-list-row:has-text("Say the line [1]")');
    await page.screenshot('log-document');
  });

  it('grows while the execution goes on', async () => {
    const { workflowId } = await run(Imported, 'workflow.import', { definition: slow });
    await run(v.unknown(), 'workflow.deploy', { workflowId });
    const { executionId } = await execute(workflowId, { name: 'Ada' });
    assert.ok(executionId);
    const document = await openLog(executionId);
    const grown = await until(
      () => document.getText(),
      (text) => text.includes('Greet: Hello Ada') && text.includes('Rest: '),
    );
    assert.equal(grown.split('Greet: Hello Ada').length, 2);
    assert.ok(!grown.includes('Bye Ada'));
  });
});

/** Outputs by execution: what the service says they are, and their text. */
type Outputs = Readonly<Record<string, { readonly mediaType: string; readonly body: string }>>;

async function serveOutputs(outputs: Outputs): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const [, id = '', part] = /\/executions\/(\w+)(\/output)?$/.exec(url) ?? [];
    const output = outputs[id];
    const record = { id, workflowId: 'wf_1', status: 'completed', createdAt: '2026-01-05T10:00:00.000Z' };
    response.setHeader('content-type', part ? (output?.mediaType ?? 'text/plain') : 'application/json');
    response.end(part ? output?.body : JSON.stringify(output === undefined ? { data: [] } : record));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const large = Array.from({ length: 90_000 }, (_, id) => ({
  ...{ id, name: `name ${id}`, tags: ['a', 'b', String(id)] },
  nested: { x: id * 1.5, ok: true, note: `some longer text to be counted here ${id}` },
}));

describe('the output document of an execution', () => {
  const outputs: Outputs = {
    table: { mediaType: 'text/csv', body: 'name,total\nAda,3\n' },
    web: { mediaType: 'text/html; charset=utf-8', body: '<p>Hello</p>' },
    large: { mediaType: 'application/json', body: JSON.stringify(large) },
  };
  let server: Server;
  let connectionId: string;

  before(async () => {
    server = await serveOutputs(outputs);
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const baseUrl = `http://127.0.0.1:${address.port}/v1`;
    const added = { name: 'Outputs', baseUrl, apiKey: 'svc_sk_outputs_of_every_kind' };
    ({ connectionId } = await run(Connection, 'connection.add', added));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run(v.unknown(), 'connection.remove', { connectionId });
    server.closeAllConnections();
    server.close();
  });

  const open = async (executionId: string): Promise<vscode.TextDocument> => {
    const uri = vscode.Uri.parse(await run(v.string(), 'execution.openOutput', { executionId }), true);
    return vscode.workspace.openTextDocument(uri);
  };

  it('is what the service says it is', async () => {
    const table = await open('table');
    assert.ok(table.uri.path.endsWith(' output.csv'), table.uri.path);
    assert.equal(table.getText(), outputs['table']?.body);
    const web = await open('web');
    assert.equal(web.languageId, 'html');
    assert.equal(web.getText(), '<p>Hello</p>');
  });

  it('opens with more than 10 MB, whole', async function () {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const begin = performance.now();
    const document = await open('large');
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    delay.disable();
    const size = ((outputs['large']?.body.length ?? 0) / 1e6).toFixed(1);
    if (this.test)
      this.test.title += ` (${size} MB shown in ${seconds} s, the host blocked ${Math.round(delay.max / 1e6)} ms at most)`;
    assert.deepEqual(parseJson(document.getText()), large);
  });
});
