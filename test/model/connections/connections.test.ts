// Connections are verified before they are stored, their keys go to no other origin, and nothing stored is lost or leaks.
import assert from 'node:assert/strict';
import { type ConnectionErrorReason, isConnectionError, ServiceError } from '../../../src/domain/errors.ts';
import { Connections } from '../../../src/model/connections/connections.ts';
import { createWorld, firstUrl, secondUrl, type World } from '../../support/memory/world.ts';

const good = 'svc_sk_good';

async function refusal(call: Promise<unknown>): Promise<ConnectionErrorReason> {
  try {
    await call;
  } catch (error) {
    if (isConnectionError(error)) return error.reason;
    throw error;
  }
  throw new assert.AssertionError({ message: 'It was not refused.' });
}

describe('connections', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld();
  });

  it('verifies, stores and activates a new one; the key lies only with the secrets', async () => {
    const { connections, records, workspaceState, secrets, first } = world;
    const added = await connections.add({ name: 'First', baseUrl: `${firstUrl}/`, apiKey: good });
    assert.deepEqual(connections.all.current, [
      {
        id: added.id,
        name: 'First',
        kind: 'remote',
        baseUrl: firstUrl,
        keySetAt: '2026-01-05T10:00:00.000Z',
      },
    ]);
    assert.equal(connections.active.current?.id, added.id);
    assert.deepEqual(first.calls, ['workflows.list']);
    assert.equal(await connections.readKey(added), good);
    assert.deepEqual(JSON.parse(secrets.entries.get(added.id) ?? ''), {
      origin: 'https://first.example',
      key: good,
    });
    assert.doesNotMatch([...records.texts.values(), workspaceState.text].join(), /svc_sk_/);
  });

  it('never shows a removed one as active, whoever asks at whatever moment', async () => {
    const { connections } = world;
    const added = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    const seen: string[] = [];
    const look = (): void => {
      const { current } = connections.active;
      seen.push(current === null ? 'none' : connections.find(current.id) === undefined ? 'gone' : 'there');
    };
    connections.all.onDidChange(look);
    connections.active.onDidChange(look);
    await connections.remove(added.id);
    assert.deepEqual(seen, ['none', 'none']);
  });

  it('refuses another prefix before any request', async () => {
    const { connections, first, secrets } = world;
    assert.deepEqual(
      await refusal(connections.add({ name: 'First', baseUrl: firstUrl, apiKey: 'sk-good' })),
      {
        kind: 'keyPrefix',
        expected: 'svc_sk_',
      },
    );
    assert.deepEqual(first.calls, []);
    assert.equal(secrets.entries.size, 0);
  });

  it('refuses a key that the service rejects, and stores nothing', async () => {
    const { connections, secrets } = world;
    const request = { name: 'First', baseUrl: firstUrl, apiKey: 'svc_sk_bad' };
    assert.deepEqual(await refusal(connections.add(request)), { kind: 'keyRejected' });
    assert.deepEqual(connections.all.current, []);
    assert.equal(secrets.entries.size, 0);
  });

  it('says so when nobody answers, and stores unverified when told to', async () => {
    const { connections } = world;
    const request = { name: 'Away', baseUrl: 'https://away.example/v1', apiKey: good };
    const reason = await refusal(connections.add(request));
    assert.equal(reason.kind, 'unverified');
    assert.deepEqual('error' in reason && reason.error.reason, { kind: 'unreachable', cause: 'refused' });
    const added = await connections.add(request, { verify: 'never' });
    assert.deepEqual(connections.all.current, [added]);
  });

  it('tells something else than the service apart from a bad key', async () => {
    world.first.failure = new ServiceError({ kind: 'notOffered' }, 'no such endpoint', { status: 404 });
    const asked = world.connections.verifySecrets({ kind: 'remote', baseUrl: firstUrl }, { apiKey: good });
    assert.equal((await refusal(asked)).kind, 'notTheService');
  });

  it('refuses the same name at the same address, also when two are added at once', async () => {
    const { connections, secrets } = world;
    const request = { name: 'First', baseUrl: firstUrl, apiKey: good };
    const results = await Promise.allSettled([connections.add(request), connections.add(request)]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.equal(connections.all.current.length, 1);
    assert.equal(secrets.entries.size, 1);
    assert.equal((await refusal(connections.add({ ...request, name: ' First ' }))).kind, 'duplicate');
    await connections.add({ ...request, name: 'First as somebody else' });
  });

  it('never hands a key to another origin', async () => {
    const { connections, second } = world;
    const added = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    const moved = { ...added, baseUrl: secondUrl };
    assert.equal(await connections.readKey(moved), undefined);
    world.records.storeConnections(moved);
    connections.reload();
    const call = world.clients.get(added.id).workflows.list({});
    await assert.rejects(call, (error: ServiceError) => error.reason.kind === 'keyMissing');
    assert.deepEqual(second.keysSeen, []);
  });

  it('verifies a new key first and keeps the old one when that fails', async () => {
    const { connections, first } = world;
    const added = await connections.add({
      name: 'First',
      baseUrl: firstUrl,
      apiKey: good,
      expiration: '30d',
    });
    assert.deepEqual(await refusal(connections.replaceKey(added.id, 'svc_sk_bad')), { kind: 'keyRejected' });
    assert.equal(await connections.readKey(added), good);
    first.keys.add('svc_sk_new');
    await world.clock.advance(1000);
    const replaced = await connections.replaceKey(added.id, 'svc_sk_new');
    assert.equal(await connections.readKey(added), 'svc_sk_new');
    assert.equal(replaced.keySetAt, '2026-01-05T10:00:01.000Z');
    assert.equal(replaced.expiration, undefined);
  });

  it('lets a client go on with the new key', async () => {
    const { connections, clients, first } = world;
    const added = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    const client = clients.get(added.id);
    first.keys.add('svc_sk_new');
    await connections.replaceKey(added.id, 'svc_sk_new');
    await client.workflows.list({});
    assert.equal(first.keysSeen.at(-1), 'svc_sk_new');
  });

  it('points a local connection at its new address with its key, and no remote one', async () => {
    const { connections } = world;
    const local = await connections.add(
      { name: 'Local', baseUrl: 'http://127.0.0.1:4100/v1', apiKey: good, kind: 'local' },
      { verify: 'never' },
    );
    const moved = await connections.relocate(local.id, 'http://127.0.0.1:4200/v1');
    assert.equal(await connections.readKey(moved), good);
    assert.equal(await connections.readKey(local), undefined);
    const remote = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    assert.equal((await refusal(connections.relocate(remote.id, secondUrl))).kind, 'baseUrlInsecure');
    assert.equal((await refusal(connections.relocate(local.id, secondUrl))).kind, 'baseUrlInsecure');
  });

  it('remembers the page of the settings through a new key, takes only https, and forgets it', async () => {
    const { connections } = world;
    const { id } = await connections.add({
      name: 'First',
      baseUrl: firstUrl,
      apiKey: good,
      expiration: '30d',
    });
    for (const url of [
      'http://first.example/keys',
      'javascript:alert(1)',
      'keys',
      'https://me:x@first.example/',
    ])
      assert.equal((await refusal(connections.setSettingsPage(id, url))).kind, 'settingsUrl');
    await connections.setSettingsPage(id, ' https://first.example/keys ');
    const replaced = await connections.replaceKey(id, good, { verify: 'never' });
    assert.equal(replaced.settingsUrl, 'https://first.example/keys');
    assert.equal('expiration' in replaced, false);
    assert.equal('settingsUrl' in (await connections.setSettingsPage(id, undefined)), false);
  });

  it('takes the key away with the connection and turns to another one', async () => {
    const { connections, secrets } = world;
    const first = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    const second = await connections.add({ name: 'Second', baseUrl: secondUrl, apiKey: good });
    await connections.remove(second.id);
    assert.deepEqual([...secrets.entries.keys()], [first.id]);
    assert.equal(connections.active.current?.id, first.id);
    await connections.remove(first.id);
    assert.equal(connections.active.current, null);
    assert.throws(
      () => world.clients.get(first.id),
      (error) => isConnectionError(error, 'unknownConnection'),
    );
  });

  it('gives the local service the same connection again, so that its documents work again, and only one', async () => {
    const { connections } = world;
    const local = { name: 'Local', kind: 'local', baseUrl: firstUrl, apiKey: good } as const;
    const first = await connections.add(local);
    const twice = connections.add({ ...local, name: 'Local again' });
    assert.deepEqual(await refusal(twice), { kind: 'duplicate', connectionId: first.id });
    await connections.remove(first.id);
    assert.equal((await connections.add(local)).id, first.id);
  });

  it('remembers which one is active per workspace, and what it is called for all', async () => {
    const { connections, records, workspaceState, secrets, clock } = world;
    const first = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    await connections.add({ name: 'Second', baseUrl: secondUrl, apiKey: good });
    await connections.switchTo(first.id);
    await connections.rename(first.id, ' Renamed ');
    const again = new Connections({
      records,
      workspaceState,
      secrets,
      clock,
      createClient: () => assert.fail('No request is needed to read what is stored.'),
      keyPrefix: () => 'svc_sk_',
      createId: () => 'unused',
    });
    assert.equal(again.active.current?.name, 'Renamed');
    assert.deepEqual(again.all.current, connections.all.current);
  });

  it('hears of a connection that another window added, and of nothing when nothing changed', async () => {
    const { connections, records, secrets } = world;
    const first = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    let announced = 0;
    connections.all.onDidChange(() => (announced += 1));
    connections.reload();
    assert.equal(announced, 0);
    const changedKeys: string[] = [];
    connections.onDidChangeKey((id) => changedKeys.push(id));
    records.storeConnections(first, { ...first, id: 'other', name: 'Other' });
    await secrets.set('other', JSON.stringify({ origin: 'https://first.example', key: good }));
    assert.deepEqual(
      connections.all.current.map(({ name }) => name),
      ['First', 'Other'],
    );
    assert.equal(connections.all.current[0], first);
    assert.deepEqual(changedKeys, ['other']);
  });

  it('has a client for a connection that another window added without a word', async () => {
    const { connections, clients, records } = world;
    const first = await connections.add({ name: 'First', baseUrl: firstUrl, apiKey: good });
    records.storeConnections(first, { ...first, id: 'other', name: 'Other' });
    assert.equal(connections.find('other'), undefined);
    assert.ok(clients.get('other'));
    assert.throws(() => clients.get('nobody'), isConnectionError);
  });
});
