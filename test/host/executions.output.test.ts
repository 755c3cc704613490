// Outputs of every kind and size, early and late, are read and compared as documents, in a real VS Code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseJson } from '../../src/base/json.ts';
import { connect, disconnect, run } from './commands.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const Uris = v.array(v.string());

/** Outputs by execution: what the service says they are, and their text. */
type Outputs = Readonly<Record<string, { readonly mediaType: string; readonly body: string }>>;

/** running: the executions that go on; they have no output yet. */
async function serveOutputs(outputs: Outputs, running: ReadonlySet<string>): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const [, id = '', part] = /\/executions\/(\w+)(\/output)?$/.exec(url) ?? [];
    const output = outputs[id];
    const status = running.has(id) ? 'running' : 'completed';
    const record = { id, workflowId: 'wf_1', status, createdAt: '2026-01-05T10:00:00.000Z' };
    const isOutput = part !== undefined && status === 'completed';
    response.setHeader('content-type', isOutput ? (output?.mediaType ?? 'text/plain') : 'application/json');
    if (part !== undefined && !isOutput) response.statusCode = 202;
    response.end(isOutput ? output?.body : JSON.stringify(output === undefined ? { data: [] } : record));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const records = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `name ${id}`,
    tags: ['a', 'b', String(id)],
    nested: { x: id * 1.5, ok: true, note: `some longer text to be counted here ${id}` },
  }));
const large = records(90_000);

describe('the output document of an execution', () => {
  const outputs: Outputs = {
    table: { mediaType: 'text/csv', body: 'name,total\nAda,3\n' },
    web: { mediaType: 'text/html; charset=utf-8', body: '<p>Hello</p>' },
    large: { mediaType: 'application/json', body: JSON.stringify(large) },
    bulky: { mediaType: 'application/json', body: JSON.stringify(records(9000)) },
    small: { mediaType: 'application/json', body: JSON.stringify(records(3)) },
    tiny: { mediaType: 'application/json', body: JSON.stringify(records(2)) },
    early: { mediaType: 'text/csv', body: 'name,total\nBob,4\n' },
    behind: { mediaType: 'text/markdown', body: '# Hello\n' },
    beside: { mediaType: 'text/csv', body: 'name,total\nEve,5\n' },
  };
  const running = new Set(['early', 'behind', 'beside']);
  let server: Server;
  let connectionId: string;

  before(async () => {
    server = await serveOutputs(outputs, running);
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const baseUrl = `http://127.0.0.1:${address.port}/v1`;
    connectionId = await connect('Outputs', { baseUrl, key: 'svc_sk_outputs_of_every_kind' });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await disconnect(connectionId);
    server.closeAllConnections();
    server.close();
  });

  const open = async (executionId: string): Promise<vscode.TextDocument> => {
    const uri = vscode.Uri.parse(await run(v.string(), 'execution.openOutput', { executionId }), true);
    return vscode.workspace.openTextDocument(uri);
  };
  const compare = async (executionId: string, otherExecutionId: string) => {
    const uris = await run(Uris, 'execution.compare', { executionId, otherExecutionId });
    return Promise.all(uris.map((uri) => vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true))));
  };
  /** The execution ends, and this window learns of it by reading its record. */
  const end = async (executionId: string): Promise<void> => {
    running.delete(executionId);
    await run(v.string(), 'execution.open', { executionId });
  };
  const tabLabels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  it('is what the service says it is', async () => {
    const table = await open('table');
    assert.ok(table.uri.path.endsWith(' output.csv'), table.uri.path);
    assert.equal(table.getText(), outputs['table']?.body);
    const web = await open('web');
    assert.equal(web.languageId, 'html');
    assert.equal(web.getText(), '<p>Hello</p>');
  });

  it('gets its right name where it stands, when it was opened before it was there', async () => {
    const document = await open('early');
    assert.ok(document.uri.path.endsWith(' output.json') && document.getText().includes('notReady'));
    // Its details stand beside it, so that it stays in front.
    await vscode.commands.executeCommand('workbench.action.newGroupRight');
    await end('early');
    await until(
      () => tabLabels().toSorted().join(),
      (labels) => labels === 'wf_1 early details.json,wf_1 early output.csv',
    );
    await until(
      () => vscode.window.visibleTextEditors.map(({ document: { uri } }) => uri.path),
      (all) => all.length === 2 && all.some((path) => path.endsWith('.csv')),
    );
    const csv = vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith('early output.csv'));
    assert.equal(csv?.getText(), outputs['early']?.body);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.path ?? '',
      (path) => path.endsWith('details.json'),
    );
  });

  it('gets its right name behind others as well, and comes not in front of them', async () => {
    await open('behind');
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    // Another document stands in front before the output is there.
    await run(v.string(), 'execution.open', { executionId: 'table' });
    await end('behind');
    await until(tabLabels, (all) => all.includes('wf_1 behind output.md'));
    await until(tabLabels, (all) => !all.includes('wf_1 behind output.json'));
    await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label,
      (label) => label === 'wf_1 behind details.json',
    );
  });

  it('gets its right name in a comparison', async () => {
    const sidesByHand = [await open('table'), await open('beside')].map(({ uri }) => uri);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.ok(sidesByHand[1]?.path.endsWith(' output.json'));
    await vscode.commands.executeCommand('vscode.diff', ...sidesByHand, 'wf_1 table ↔ beside');
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await end('beside');
    const sides = await until(
      () =>
        vscode.window.tabGroups.all.flatMap(({ tabs }) =>
          tabs.flatMap(({ input }) =>
            input instanceof vscode.TabInputTextDiff ? [input.original.path, input.modified.path] : [],
          ),
        ),
      (paths) => paths.length === 2 && paths.every((path) => path.endsWith(' output.csv')),
    );
    assert.deepEqual(sides, ['/Outputs/wf_1 table output.csv', '/Outputs/wf_1 beside output.csv']);
    assert.ok(tabLabels().includes('wf_1 table ↔ beside'));
  });

  it('is compared in one layout, that of the larger side', async function () {
    const [few, many] = await compare('small', 'bulky');
    const outputOf = (document: vscode.TextDocument | undefined) =>
      v.parse(v.looseObject({ output: v.unknown() }), parseJson(document?.getText() ?? '')).output;
    assert.deepEqual(outputOf(few), records(3));
    assert.deepEqual(outputOf(many), records(9000));
    const lines = (document: vscode.TextDocument | undefined) => document?.getText().split('\n') ?? [];
    assert.deepEqual(lines(few).slice(0, 6), lines(many).slice(0, 6));
    assert.equal(lines(few).filter((line) => line.includes('"tags"')).length, 3);
    assert.ok(lines(few).some((line) => line.includes('"id":0,"name":"name 0"')));
    requirePage(this);
    await page.waitFor('.tab.active:has-text("wf_1 small ↔ bulky")');
    await page.screenshot('outputs-compared');
    const [one, other] = await compare('small', 'tiny');
    assert.deepEqual([outputOf(one), outputOf(other)], [records(3), records(2)]);
    for (const document of [one, other]) assert.ok(lines(document).includes('      "name": "name 0",'));
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
