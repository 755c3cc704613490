// The commands on the local service and its API keys in all three ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { run, startLocalService } from '../../commands.ts';
import { page } from '../../page.ts';
import { until } from '../../until.ts';
import { choose, focusRow, untilRow, write } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { views } from '../world.ts';

const view = views.connections;
const local = 'Local service';
const Time = v.pipe(v.string(), v.isoTimestamp());
const CreatedKey = v.object({
  id: v.string(),
  name: v.string(),
  key: v.pipe(v.string(), v.startsWith('svc_sk_')),
  preview: v.string(),
  createdAt: Time,
  expiresAt: v.nullable(Time),
});

const stop = () => vscode.commands.executeCommand('workflowAutomation.localService.stop');
/** The row of before would pass for what a command has done. */
const isSeenStopped = async () => {
  await stop();
  await isStopped();
};
const isRunning = () => untilRow(view, local, ({ description }) => description.startsWith('active · http'));
const isStopped = () => untilRow(view, local, ({ description }) => description.endsWith('stopped'));

/** Shows the keys below the row of the local service. */
async function unfoldKeys(): Promise<void> {
  await startLocalService();
  await focusRow(view, local);
  await page.press('ArrowRight');
}

async function createKey(name: string): Promise<string> {
  const { id } = await run(CreatedKey, 'apiKey.create', { name, expiration: '30d' });
  await unfoldKeys();
  await untilRow(view, name);
  return id;
}

async function answerCreate(name: string): Promise<void> {
  await vscode.env.clipboard.writeText('');
  await write('Name, for example the app that uses it', name);
  await choose('When does this key expire?', 'In 30 days');
  await choose(`API key "${name}" created`, 'Copy Key');
  await until(
    async () => vscode.env.clipboard.readText(),
    (text) => text.startsWith('svc_sk_'),
  );
  await unfoldKeys();
  await untilRow(view, name, ({ description }) => description.includes('expires in 30 days'));
}

async function answerRevoke(name: string): Promise<void> {
  await choose(`Revoke API key "${name}"?`, 'Revoke');
  await untilRevoked(name);
}

const untilRevoked = (name: string) =>
  untilRow(view, name, ({ description }) => description.endsWith('revoked'));

export const localServiceWays: WaysTable = {
  'localService.start': {
    code: {
      run: async (call) => {
        const { baseUrl } = await call(v.object({ connectionId: v.string(), baseUrl: v.string() }));
        assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
        await vscode.commands.executeCommand(`${view}.focus`);
        await isRunning();
      },
    },
    tree: { given: isSeenStopped, place: { row: local }, view, run: isRunning },
  },
  'localService.stop': {
    code: {
      run: async (call) => {
        await startLocalService();
        await call(v.optional(v.unknown()));
        await isStopped();
      },
    },
    tree: { given: startLocalService, place: 'overflow', view, run: isStopped },
  },
  'apiKey.create': {
    code: {
      run: async (call) => {
        await unfoldKeys();
        const created = await call(CreatedKey, { name: 'By code', expiration: '90d' });
        assert.equal(created.name, 'By code');
        await untilRow(view, 'By code', ({ description }) => !description.includes(created.key));
      },
    },
    palette: { asks: 'Name, for example the app that uses it', run: () => answerCreate('By palette') },
  },
  'apiKey.revoke': {
    code: {
      run: async (call) => {
        const keyId = await createKey('Revoked by code');
        await call(v.object({ keyId: v.literal(keyId) }), { keyId });
        await untilRevoked('Revoked by code');
      },
      unknown: { keyId: 'none' },
    },
    palette: {
      given: () => createKey('Revoked by palette'),
      asks: 'Select the API key to revoke',
      run: async () => {
        await choose('Select the API key to revoke', 'Revoked by palette');
        await answerRevoke('Revoked by palette');
      },
    },
  },
};
