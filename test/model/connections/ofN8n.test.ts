// Connections to an n8n of the user's own: what is verified before it's stored, and where its two secrets go.
import assert from 'node:assert/strict';
import { HttpLoader } from '../../../src/api/http/httpLoader.ts';
import { createN8nClient } from '../../../src/api/n8n/client.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { maskKeys, redact } from '../../../src/base/masking.ts';
import type { Connection } from '../../../src/domain/connection.ts';
import { type ConnectionErrorReason, isConnectionError, isServiceError } from '../../../src/domain/errors.ts';
import { HandClock } from '../../support/memory/ports.ts';
import { createWorld, firstUrl, type World } from '../../support/memory/world.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { recordedKey, RecordedN8n } from '../../support/n8n/recordedN8n.ts';
import { type Running, serve } from '../../support/servers.ts';

async function refusal(call: Promise<unknown>): Promise<ConnectionErrorReason['kind']> {
  try {
    await call;
  } catch (error) {
    if (isConnectionError(error)) return error.reason.kind;
    throw error;
  }
  throw new assert.AssertionError({ message: 'It was not refused.' });
}

describe('a connection to an n8n', () => {
  let n8n: RecordedN8n;
  let running: Running;
  let loader: HttpLoader;
  let world: World;
  let address: string;
  const given = (
    more: { readonly baseUrl?: string; readonly apiKey?: string; readonly mcpToken?: string } = {},
  ) => ({
    kind: 'n8n' as const,
    name: 'Mine',
    baseUrl: address,
    apiKey: recordedKey,
    ...more,
  });
  const stored = ({ id }: Connection): unknown => JSON.parse(world.secrets.entries.get(id) ?? 'null');

  beforeEach(async () => {
    ({ n8n, running } = await RecordedN8n.serve(() => Date.UTC(2026, 0, 6)));
    address = `http://127.0.0.1:${running.port}`;
    loader = new HttpLoader(() => ({ environment: {} }));
    const clock = new HandClock();
    world = createWorld({
      clock,
      createClient: ({ baseUrl }, key, owner, mcpToken) =>
        createN8nClient({ http: loader.load, baseUrl, key, logger: silentLogger, clock, owner, mcpToken }),
    });
  });
  afterEach(async () => {
    loader.dispose();
    await running.close();
  });

  it('is added by the address of the editor or of the API, and stored by that of the editor', async () => {
    for (const baseUrl of [
      address,
      `${address}/`,
      `${address}/api/v1`,
      `${address}/home/workflows`,
      `${address}/workflow/WFBq/executions/7`,
    ]) {
      const { id, ...added } = await world.connections.add(given({ baseUrl, mcpToken: ' ' }));
      assert.deepEqual([added.kind, added.baseUrl], ['n8n', address]);
      assert.deepEqual(stored({ id, ...added }), { origin: address, key: recordedKey });
      await world.connections.remove(id);
    }
    assert.deepEqual(
      n8n.requests.map(({ url }) => url),
      Array.from({ length: 5 }, () => ['/api/v1/workflows?limit=1', '/api/v1/discover']).flat(),
    );
  });

  it('tells which rights its key lacks, with one request at most', async () => {
    const { connections } = world;
    const { baseUrl, apiKey } = given();
    const missing = async (): Promise<unknown> => {
      n8n.requests.splice(0);
      const rights = await connections.verifySecrets({ kind: 'n8n', baseUrl }, { apiKey });
      assert.equal(n8n.requests.filter(({ url }) => url === '/api/v1/discover').length, 1);
      return rights;
    };
    assert.deepEqual(await missing(), []);
    for (const right of ['workflow:list', 'execution:stop']) n8n.rights.delete(right);
    assert.deepEqual(await missing(), ['workflow:list', 'execution:stop']);
    n8n.tellsRights = false;
    assert.deepEqual(await missing(), []);
  });

  it('is not added, and nothing of it stored, where something else answers, or the key or the token is refused', async () => {
    const { connections } = world;
    // Its own editor answers there with 200 and a page.
    assert.equal(await refusal(connections.add(given({ baseUrl: `${address}/other` }))), 'notTheService');
    const gate = await serve((_request, response) => {
      response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Access denied</html>');
    });
    const elsewhere = given({ baseUrl: `http://127.0.0.1:${gate.port}` });
    assert.equal(await refusal(connections.add(elsewhere)), 'notTheService');
    await gate.close();
    assert.equal(await refusal(connections.add(given({ apiKey: 'other' }))), 'keyRejected');
    assert.equal(await refusal(connections.add(given({ mcpToken: 'other' }))), 'mcpTokenRejected');
    assert.equal(await refusal(connections.add(given({ apiKey: 'two words' }))), 'secretUnreadable');
    assert.equal(await refusal(connections.add(given({ mcpToken: 'two words' }))), 'secretUnreadable');
    assert.equal(
      await refusal(connections.add({ ...given({ mcpToken: 'other' }), kind: 'remote', baseUrl: firstUrl })),
      'mcpTokenNotTaken',
    );
    assert.deepEqual([world.secrets.entries.size, connections.all.current], [0, []]);
  });

  it('keeps the token when the key is replaced, and the key when the token is replaced or removed', async () => {
    const { connections } = world;
    const added = await connections.add(given({ mcpToken: recordedToken }));
    const [origin, key] = [address, `${recordedKey}-new`];
    n8n.keys.add(key);
    await connections.replaceKey(added.id, key);
    assert.deepEqual(stored(added), { origin, key, mcpToken: recordedToken });
    assert.equal(await refusal(connections.replaceMcpToken(added.id, 'other')), 'mcpTokenRejected');
    assert.equal(await connections.replaceMcpToken(added.id, ''), false);
    assert.deepEqual(stored(added), { origin, key });
    assert.equal(await connections.replaceMcpToken(added.id, recordedToken), true);
    assert.deepEqual(stored(added), { origin, key, mcpToken: recordedToken });
    await connections.remove(added.id);
    assert.equal(world.secrets.entries.size, 0);
  });

  it('gives its secrets to no other origin', async () => {
    const { connections, records } = world;
    const added = await connections.add(given({ mcpToken: recordedToken }));
    records.storeConnections({ ...added, baseUrl: 'https://other.example' });
    connections.reload();
    const moved = connections.get(added.id);
    assert.equal(await connections.readKey(moved), undefined);
    assert.equal(await connections.readMcpToken(moved), undefined);
    await assert.rejects(connections.replaceMcpToken(added.id, recordedToken, { verify: 'never' }), (error) =>
      isServiceError(error, 'keyMissing'),
    );
    await connections.replaceKey(added.id, 'another', { verify: 'never' });
    assert.deepEqual(stored(added), { origin: 'https://other.example', key: 'another' });
  });

  it('has its secrets masked everywhere, though no prefix tells them', async () => {
    await world.connections.add(given({ mcpToken: recordedToken }));
    for (const secret of [recordedKey, recordedToken]) {
      assert.equal(redact(`{"sent":"${secret}"}`), '{"sent":"[redacted key]"}');
      assert.equal(maskKeys(`a ${secret}`, 'svc_sk_'), 'a [redacted key]');
    }
    const texts = [...world.records.texts.values(), world.workspaceState.text];
    assert.ok(!texts.join().includes('eyJ'));
  });

  it('has what another window stored masked before it is used', async () => {
    const { connections, records, secrets } = world;
    const key = 'key-of-another-window';
    await connections.add(given());
    const { length } = n8n.requests;
    records.storeConnections({ id: 'other', name: 'Other', kind: 'n8n', baseUrl: address });
    secrets.entries.set('other', JSON.stringify({ origin: address, key }));
    connections.reload();
    assert.equal(redact(key), key);
    await connections.hideSecrets();
    assert.equal(redact(key), '[redacted key]');
    assert.equal(n8n.requests.length, length);
  });

  it('says of a refused token in whose name it was refused, with the connection', async () => {
    const { connections, clients, connectionTroubles } = world;
    const added = await connections.add(given({ mcpToken: recordedToken }));
    await connections.replaceMcpToken(added.id, 'forgotten-by-now', { verify: 'never' });
    const workflow = n8n.addWorkflow({
      nodes: [{ name: 'Hook', type: 'n8n-nodes-base.webhook', parameters: { path: 'hook' } }],
    });
    n8n.activate(workflow);
    await assert.rejects(
      clients.get(added.id).workflows.execute(workflow.id, {}),
      (error) => isServiceError(error, 'mcpTokenRejected') && error.connectionId === added.id,
    );
    assert.equal(connectionTroubles.find(added.id), undefined);
  });

  it('refuses what it has not in the name of its kind, before anything is sent', async () => {
    const { connections, services } = world;
    const { id } = await connections.add(given());
    const { length } = n8n.requests;
    for (const capability of [
      'apiKeys',
      'portalEvents',
      'liveLogs',
      'requestLimit',
      'executeById',
      'retryFromNode',
      'executeNodeAlone',
      'draft',
    ] as const)
      assert.throws(
        () => services.demand(id, capability),
        (error) => isServiceError(error, 'notOffered') && error.message.endsWith('is not offered by n8n.'),
      );
    services.demand(id, 'cancel');
    assert.equal(n8n.requests.length, length);
  });
});
