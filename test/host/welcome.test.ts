// Each state of a connection has a welcome view that says what is the matter and what helps; this brings about each and takes its picture.
import type { RequestListener } from 'node:http';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { closedPort, type Running, serve, serveProxy, serveTls } from '../support/servers.ts';
import { clickUntil } from './clicks.ts';
import { connect, disconnect, startLocalService } from './commands.ts';
import { check, choose, take, write } from './keyboard.ts';
import { type OwnService, startOwnService } from './ownService.ts';
import { page, requirePage, viewSelector } from './page.ts';
import { until } from './until.ts';

const view = 'workflowAutomation.workflows';
const connectionsView = 'workflowAutomation.connections';
/** Nobody's key; made of parts, so that nothing takes it for one. */
const someKey = ['svc', 'sk', 'w'.repeat(20)].join('_');
const emptyList = JSON.stringify({ data: [], nextCursor: null });

const call = (name: string, argument?: object) =>
  vscode.commands.executeCommand(`workflowAutomation.${name}`, argument);

/** Answers a first request, the check of the key, as a service does; the others as the test wants. */
function afterOne(listener: RequestListener): RequestListener {
  let count = 0;
  return (request, response) => {
    count += 1;
    if (count > 1) listener(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(emptyList);
  };
}

const add = (baseUrl: string, key: string): Promise<string> => connect('Welcome', { baseUrl, key });

/** Connects step by step, as a person does, to what cannot be reached now. */
async function addUnchecked(baseUrl: string): Promise<string> {
  const added = vscode.commands.executeCommand('workflowAutomation.connection.add');
  await choose('What do you connect to?', 'Workflow Service');
  await write('Base URL including the version', baseUrl);
  await write('API key', someKey);
  await take('Save Anyway');
  await write('Name of the connection', 'Welcome');
  await take('Never');
  return v.parse(v.object({ connectionId: v.string() }), await added).connectionId;
}

/** The welcome view with these words, photographed. */
async function welcomes(state: string, words: string): Promise<void> {
  await page.waitFor(`${viewSelector(view)} .welcome-view-content:has-text("${words}")`);
  await vscode.commands.executeCommand('notifications.clearAll');
  await page.screenshot(`welcome-${state}`);
}

describe('the welcome view', () => {
  let connectionId = '';
  let running: Running | undefined;
  let service: OwnService | undefined;

  before(async function () {
    requirePage(this);
    await vscode.commands.executeCommand(`${view}.focus`);
  });
  afterEach(async () => {
    if (connectionId !== '') await disconnect(connectionId);
    connectionId = '';
    await running?.close();
    running = undefined;
    await service?.stop();
    service = undefined;
  });
  after(() => startLocalService());

  const url = ({ port }: Running) => `http://127.0.0.1:${port}/v1`;

  it('without a connection offers the local service', async () => {
    await welcomes('none', 'no account is needed');
    await until(
      () => page.texts('.sidebar .welcome-view-content .monaco-button:visible'),
      (titles) => titles.join() === 'Try the Local Service',
    );
    for (const name of ['Create Workflow', 'Filter'])
      await page.waitUntilGone(`.sidebar .pane-header .action-label[aria-label^="${name}"]`);
    const walkthrough = '.gettingStartedContainer:has-text("Get Started with Workflow Automation")';
    await clickUntil('.sidebar .welcome-view-content a:has-text("Open the walkthrough")', () =>
      page.isThere(walkthrough),
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says that the key was revoked, as does the row of the connection', async () => {
    service = await startOwnService();
    connectionId = await add(service.baseUrl, service.key);
    await welcomes('empty', 'no workflows yet');
    service.revokeKey();
    await call('workflows.refresh');
    await welcomes('keyRejected', 'was revoked');
    await until(
      () => page.rows(connectionsView),
      (rows) => rows.some(({ description }) => description.startsWith('key revoked · active')),
    );
  });

  it('says that nothing matches the filter, and clears it', async () => {
    service = await startOwnService('--samples');
    connectionId = await add(service.baseUrl, service.key);
    await until(
      () => page.rows(view),
      (rows) => rows.length === 3,
    );
    const filtered = call('workflows.filter');
    await check('Name Contains');
    await page.press('Enter');
    await write('Part of the name', 'no such name');
    await filtered;
    await welcomes('filtered', 'No workflows match the filter');
    await clickUntil(
      `${viewSelector(view)} .welcome-view-content .monaco-button:has-text("Clear Filter")`,
      async () => (await page.rows(view)).length === 3,
    );
  });

  it('says that the limit of requests is reached, and how long that lasts', async () => {
    service = await startOwnService('--requests-per-minute', '1');
    connectionId = await add(service.baseUrl, service.key);
    await until(
      () => page.texts(viewSelector(view)),
      ([text = '']) => /\d+ s left/.test(text),
    );
    await welcomes('rateLimited', 'request limit is reached');
  });

  it('says that the service fails', async () => {
    running = await serve(afterOne((_request, response) => response.writeHead(500).end()));
    connectionId = await add(url(running), someKey);
    await welcomes('unavailable', 'The service returned an error');
  });

  it('says that the answer is no list', async () => {
    const html = { 'content-type': 'text/html' };
    running = await serve(
      afterOne((_request, response) => response.writeHead(200, html).end('<p>Sign in</p>')),
    );
    connectionId = await add(url(running), someKey);
    await welcomes('failed', "Couldn't list the workflows");
  });

  it('says that the connection was closed', async () => {
    running = await serve(afterOne((request) => request.socket.destroy()));
    connectionId = await add(url(running), someKey);
    await welcomes('unreachable-reset', 'the connection was closed');
  });

  it('says that nothing listens', async () => {
    connectionId = await addUnchecked(`http://127.0.0.1:${await closedPort()}/v1`);
    await welcomes('unreachable-refused', 'connection refused');
  });

  it('says that the certificate was not accepted', async () => {
    running = await serveTls((_request, response) => response.end(emptyList));
    connectionId = await addUnchecked(`https://127.0.0.1:${running.port}/v1`);
    await welcomes('unreachable-tls', "the certificate isn't trusted");
  });

  it('says that the host name is unknown', async () => {
    connectionId = await addUnchecked('https://workflows.invalid/v1');
    await welcomes('unreachable-dns', 'host not found');
  });

  it('says that the proxy refused the request', async () => {
    const http = vscode.workspace.getConfiguration('http');
    running = await serveProxy({ target: 0, refusal: '403 Forbidden' });
    await http.update('proxy', `http://127.0.0.1:${running.port}`, vscode.ConfigurationTarget.Global);
    try {
      connectionId = await addUnchecked('https://workflows.invalid/v1');
      await welcomes('unreachable-proxy', 'the proxy refused the request');
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('says that the local service does not know the key any more, and makes a new one', async () => {
    ({ connectionId } = await startLocalService());
    const revoked = call('apiKey.revoke');
    await take('VS Code');
    await take('Revoke');
    await revoked;
    await call('workflows.refresh');
    await welcomes('localKeyRejected', 'no longer accepts the key');
    await clickUntil(
      `${viewSelector(view)} .welcome-view-content .monaco-button:has-text("Create a New Key")`,
      async () => (await page.rows(view)).length >= 3,
    );
  });

  // These cannot be brought about within a test: another machine's secrets, half a minute of silence, no cause known.
  for (const [state, cause, words] of [
    ['keyMissing', undefined, "isn't on this machine"],
    ['localStopped', undefined, "local service isn't running"],
    ['unreachable', 'timeout', 'timeout'],
    ['unreachable', 'other', 'the connection failed'],
  ] as const) {
    const name = cause === undefined ? state : `${state}-${cause}`;
    it(`is there for ${name}`, async () => {
      // The state that the extension itself sets, when the connection before is gone, comes first.
      await page.waitFor(`${viewSelector(view)} .welcome-view-content:has-text("no account is needed")`);
      await vscode.commands.executeCommand('setContext', 'workflowAutomation.state', state);
      await vscode.commands.executeCommand('setContext', 'workflowAutomation.cause', cause);
      await welcomes(name, words);
      await vscode.commands.executeCommand('setContext', 'workflowAutomation.state', 'none');
    });
  }
});
