// A connection can be renamed and led to its service's settings.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { clickOpen, clickUntil } from './clicks.ts';
import { connect, disconnect, run, startLocalService } from './commands.ts';
import { isAsking, runOnRow, untilRow } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.connections';
describe('a remote connection', () => {
  let service: OwnService;
  let connectionId: string;
  const names = async () => (await page.rows(view)).map(({ label }) => label);

  before(async () => {
    service = await startOwnService();
    connectionId = await connect('Remote one', service);
  });
  after(async () => {
    await disconnect(connectionId);
    await service.stop();
  });

  it('is renamed from code', async () => {
    const Renamed = v.object({ connectionId: v.string(), name: v.string() });
    const renamed = await run(Renamed, 'connection.rename', { connectionId, name: 'Staging' });
    assert.equal(renamed.name, 'Staging');
    await assert.rejects(() => run(Renamed, 'connection.rename', { connectionId }));
  });

  it('tells its base URL and its id in the report', async () => {
    const report = await run(v.string(), 'connection.diagnose', { connectionId });
    for (const line of [`Base URL: ${service.baseUrl}`, `Connection ID: ${connectionId}`])
      assert.ok(report.split('\n').includes(line), report);
  });

  it('takes an https page for its settings and nothing else', async () => {
    const Page = v.object({ settingsUrl: v.optional(v.string()) });
    const settingsUrl = 'https://service.example/settings/api-keys';
    await assert.rejects(() =>
      run(Page, 'connection.setSettingsPage', { connectionId, settingsUrl: 'http://service.example' }),
    );
    assert.deepEqual(await run(Page, 'connection.setSettingsPage', { connectionId, settingsUrl }), {
      settingsUrl,
    });
  });

  it('is switched to from its row without a question', async function () {
    requirePage(this);
    await startLocalService();
    await vscode.commands.executeCommand(`${view}.focus`);
    await untilRow(view, 'Staging', ({ description }) => !description.startsWith('active'));
    await runOnRow(view, 'Staging', 'Switch Connection');
    await untilRow(view, 'Staging', ({ description }) => description.startsWith('active'));
    assert.equal(await isAsking(), false);
  });

  it('says where its keys are made, and leads there', async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
    await until(names, (all) => all.includes('Staging'));
    const row = (label: string) => `${viewSelector(view)} .monaco-list-row:has-text("${label}")`;
    await clickOpen(row('Staging'), row('Open the API key page'));
    await until(names, (all) => all.includes("Create keys in the service's settings"));
    await page.screenshot('connection-remote');
  });
});

describe('the keys of the local service', () => {
  it('are listed with preview, use and end', async function () {
    requirePage(this);
    await startLocalService();
    const Created = v.object({ id: v.string(), key: v.string() });
    const { id, key } = await run(Created, 'apiKey.create', { name: 'CI robot', expiration: '30d' });
    await vscode.commands.executeCommand(`${view}.focus`);
    const local = `${viewSelector(view)} .monaco-list-row:has-text("Local service")`;
    // The row is there before the service behind it runs, and has no keys below it until then.
    await clickOpen(local, `${viewSelector(view)} .monaco-list-row:has-text("CI robot")`);
    const rows = await until(
      () => page.rows(view),
      (all) => all.some(({ label }) => label === 'CI robot'),
    );
    const row = rows.find(({ label }) => label === 'CI robot');
    assert.match(row?.description ?? '', /… · never used · expires in 30 days$/);
    assert.ok(!row?.description.includes(key));
    await page.screenshot('api-keys');
    await vscode.commands.executeCommand('workflowAutomation.apiKey.revoke', { keyId: id });
    await until(
      () => page.rows(view),
      (all) => all.some(({ label, description }) => label === 'CI robot' && description.endsWith('revoked')),
    );
    await clickUntil(local, () => page.isThere(`${local}[aria-expanded="false"]`));
  });
});
