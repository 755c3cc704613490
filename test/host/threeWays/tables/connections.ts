// The commands on connections in all three ways.
import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { maskKey } from '../../../../src/base/secrets.ts';
import { run } from '../../commands.ts';
import { until } from '../../until.ts';
import { choose, untilNoRow, untilRow, write } from '../../keyboard.ts';
import type { WaysTable } from '../threeWays.ts';
import { views, type World } from '../world.ts';

const Connected = v.object({ connectionId: v.string() });
const view = views.connections;

const untilActive = (name: string) =>
  untilRow(view, name, ({ description }) => description.startsWith('active'));

/** Waits until a report is shown as a document. */
async function untilReportShown({ service }: World): Promise<void> {
  const report = await until(
    () => vscode.window.activeTextEditor?.document.getText() ?? '',
    (text) => text.includes(service.baseUrl),
  );
  assert.ok(!report.includes(service.key));
  assert.match(report, /^5\. Request with key \(list workflows\): ok, \d+ ms$/m);
  const document = vscode.window.activeTextEditor?.document;
  assert.deepEqual([document?.uri.scheme, document?.isDirty], ['workflow-diagnosis', false]);
}

/** Waits until the active connection uses this key, which only its mask tells. */
async function untilUsed(connectionId: string, key: string): Promise<void> {
  await until(
    () => run(v.string(), 'connection.diagnose', { connectionId }),
    (report) => report.includes(maskKey(key, 'svc_sk_')),
  );
}

export function connectionWays(world: World): WaysTable {
  const answerAdd = async (name: string) => {
    await choose('What do you connect to?', 'Workflow Service');
    await write('Base URL including the version', world.service.baseUrl);
    await write('API key', world.service.key);
    await write('Name of the connection', name);
    await choose('When does this key expire?', 'Never');
    await untilActive(name);
  };
  let connectionId = '';
  const connect = (name: string) => async () => {
    connectionId = await world.connect(name);
    await untilActive(name);
  };
  const answerKey = async () => {
    const key = world.service.createKey();
    await write('Replace API Key of', key);
    await choose('When does this key expire?', 'In 90 days');
    await untilUsed(connectionId, key);
  };
  const isGone = (name: string) => untilNoRow(view, name);

  return {
    'connection.add': {
      code: {
        run: async (call) => {
          const { baseUrl, key: apiKey } = world.service;
          await call(Connected, { name: 'Added by code', baseUrl, apiKey });
          await vscode.commands.executeCommand(`${view}.focus`);
          await untilActive('Added by code');
        },
      },
      palette: { asks: 'What do you connect to?', run: () => answerAdd('Added by palette') },
      tree: { place: 'title', view, run: () => answerAdd('Added by tree') },
    },
    'connection.switch': {
      code: {
        run: async (call) => {
          await connect('Left')();
          await world.connect('Entered');
          await call(Connected, { connectionId });
          await untilActive('Left');
          await untilRow(view, 'Entered');
        },
        unknown: { connectionId: 'none' },
      },
      tree: {
        place: { row: 'Left' },
        view,
        run: async () => {
          await choose('Select a connection', 'Entered');
          await untilActive('Entered');
        },
      },
    },
    'connection.remove': {
      code: {
        run: async (call) => {
          await connect('Removed by code')();
          await call(Connected, { connectionId });
          await isGone('Removed by code');
        },
        unknown: { connectionId: 'none' },
      },
      palette: {
        given: connect('Removed by palette'),
        asks: 'Select a connection',
        run: async () => {
          await choose('Select a connection', 'Removed by palette');
          await choose('Remove connection "Removed by palette"?', 'Remove');
          await isGone('Removed by palette');
        },
      },
    },
    'connection.replaceKey': {
      code: {
        run: async (call) => {
          await connect('Keyed')();
          const apiKey = world.service.createKey();
          await call(Connected, { connectionId, apiKey });
          await untilUsed(connectionId, apiKey);
        },
      },
      tree: { place: { row: 'Keyed' }, view, run: answerKey },
    },
    'connection.diagnose': {
      code: {
        run: async (call) => {
          await connect('Diagnosed')();
          const report = await call(v.string(), { connectionId });
          assert.ok(report.includes(world.service.baseUrl) && !report.includes(world.service.key));
          assert.equal(vscode.window.activeTextEditor, undefined);
        },
        unknown: { connectionId: 'none' },
      },
      palette: { asks: null, run: () => untilReportShown(world) },
    },
  };
}
