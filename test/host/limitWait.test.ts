// What a user asks for while the limit is reached waits in sight, then happens; or it's cancelled, and then doesn't.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import * as vscode from 'vscode';
import { type Running, serve } from '../support/servers.ts';
import { connect, disconnect } from './commands.ts';
import { untilInFront } from './front.ts';
import { answerNotification } from './notifications.ts';
import { page, requirePage } from './page.ts';
import { until } from './until.ts';

const record = { id: 'w1', name: 'Held', isDeployed: true, nodes: [], edges: [] };
/** Nobody's key; made of parts, so that nothing takes it for one. */
const key = ['svc', 'sk', 'l'.repeat(20)].join('_');

describe('the limit of requests', () => {
  let running: Running;
  let connectionId = '';
  /** Epoch milliseconds until which single workflows are refused. */
  let refusedUntil = 0;
  let executed = 0;

  const listener: RequestListener = ({ url = '' }, response) => {
    const send = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
    const leftMs = refusedUntil - Date.now();
    if (url.includes('/workflows/w1') && leftMs > 0)
      send(429, { error: { code: 'rate_limited' } }, { 'Retry-After': String(Math.ceil(leftMs / 1000)) });
    else if (url.endsWith('/workflows/w1')) send(200, record);
    else if (url.endsWith('/workflows/w1/execute')) {
      executed += 1;
      send(202, { workflowId: 'w1', eventIds: ['v1'], executionIds: ['x1'], status: 'triggered' });
    } else if (/\/workflows(\?|$)/.test(url)) send(200, { data: [record], nextCursor: null });
    else send(404, { error: { code: 'route_not_found' } });
  };

  before(async function () {
    requirePage(this);
    running = await serve(listener);
    connectionId = await connect('Limited', { baseUrl: `http://127.0.0.1:${running.port}/v1`, key });
  });
  beforeEach(() => vscode.commands.executeCommand('notifications.clearAll'));
  after(async () => {
    if (connectionId !== '') await disconnect(connectionId);
    await running.close();
  });

  /** Opens the definition as the row's button does. */
  const asked = () =>
    vscode.commands.executeCommand('workflowAutomation.workflow.open', {
      connectionId,
      workflowId: 'w1',
      invokedBy: 'person',
    });
  const isWaiting = (texts: readonly string[]): boolean =>
    texts.some((text) => /^Waiting for the request limit \(\d+ s\)…/.test(text));

  it('is waited for in sight, and cancelled there', async () => {
    refusedUntil = Date.now() + 14_000;
    const opened = asked();
    const texts = await until(() => page.notifications(), isWaiting);
    await page.screenshot('limit-wait');
    assert.equal(texts.length, 1, texts.join('\n'));
    await answerNotification('Waiting for the request limit', 'Cancel');
    assert.equal(await opened, undefined);
    await until(
      () => page.notifications(),
      (left) => left.length === 0,
    );
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('is waited for by all that was asked, an execution too, which says so instead of "Executing…"; then each happens once', async () => {
    // The extension still believes the wait that it was told.
    refusedUntil = 0;
    const opened = asked();
    const started = vscode.commands.executeCommand('workflowAutomation.workflow.execute', {
      connectionId,
      workflowId: 'w1',
      input: {},
      isConfirmed: true,
      invokedBy: 'person',
    });
    const texts = await until(() => page.notifications(), isWaiting);
    await page.screenshot('limit-wait-execute');
    assert.ok(!texts.some((text) => text.includes('Executing')), texts.join('\n'));
    assert.equal(executed, 0);
    await Promise.all([opened, started]);
    assert.equal(executed, 1);
    await untilInFront(({ uri }) => uri.path.includes('Held'));
    await until(
      () => page.notifications(),
      (left) => !isWaiting(left),
    );
  }).timeout(90_000);
});
