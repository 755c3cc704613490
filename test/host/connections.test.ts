// A connection can be renamed, led to its service's settings, and spoken of before its key ends.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { ObservableValue } from '../../src/base/event.ts';
import type { JsonValue } from '../../src/base/json.ts';
import { renderConnection } from '../../src/features/connections/connectionRows.ts';
import { createExpiryReminder } from '../../src/features/connections/notices.ts';
import type { Connection } from '../../src/domain/connection.ts';
import { clickOpen, clickUntil } from './clicks.ts';
import { connect, disconnect, run, startLocalService } from './commands.ts';
import { isAsking, runOnRow, untilRow } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.connections';
const day = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-01-31T10:00:00.000Z');

/** A connection whose key of 30 days was set some days before `now`. */
function connectionOf(ageInDays: number): Connection {
  const keySetAt = new Date(now - ageInDays * day).toISOString();
  const address = { kind: 'remote', baseUrl: 'https://service.example/v1' } as const;
  return { id: 'c', name: 'Billing', ...address, expiration: '30d', keySetAt };
}

describe('the row of a connection', () => {
  for (const [age, words] of [
    [10, 'active · https://service.example/v1'],
    [25, 'active · key expires in 5 days · https://service.example/v1'],
    [29.5, 'active · key expires within a day · https://service.example/v1'],
    [31, 'active · key expired · https://service.example/v1'],
  ] as const) {
    it(`says, ${age} days after a key of 30 days was set: ${words}`, () => {
      const row = renderConnection(connectionOf(age), {
        isActive: true,
        isRunning: false,
        isStarting: false,
        now,
      });
      assert.equal(row.description, words);
    });
  }
});

describe('the reminder of a key that ends', () => {
  it('speaks once in a day, and of nothing that is far away', async function () {
    requirePage(this);
    await vscode.commands.executeCommand('notifications.clearAll');
    const entries = new Map<string, JsonValue | undefined>();
    const globalState = {
      get: (name: string) => entries.get(name),
      set: (name: string, value: JsonValue | undefined) => {
        entries.set(name, value);
        return Promise.resolve();
      },
    };
    const all = new ObservableValue<readonly Connection[]>([
      { ...connectionOf(25), settingsUrl: 'https://service.example/keys' },
      { ...connectionOf(3), id: 'fresh', name: 'Fresh' },
    ]);
    const build = () =>
      createExpiryReminder({ connections: { all }, globalState, clock: { now: () => now } });
    build().dispose();
    build().dispose();
    // Other parts may have something to say as well.
    const shown = await until(
      async () => (await page.notifications()).filter((text) => text.startsWith('The API key of')),
      (texts) => texts.length > 0,
    );
    assert.equal(shown.length, 1);
    assert.match(shown[0] ?? '', /^The API key of "Billing" expires in 5 days/);
    await page.screenshot('key-expires');
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.deepEqual(entries.get('keyReminders'), {
      c: { keySetAt: connectionOf(25).keySetAt, at: now },
    });
  });
});

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
