// The Connections view as a text, whole.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../src/base/event.ts';
import type { ApiKey } from '../../../src/domain/apiKey.ts';
import type { Secret } from '../../../src/domain/secret.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { createConnectionsTree, type KeyState } from '../../../src/features/connections/connectionsTree.ts';
import { assertGolden } from '../../support/golden.ts';
import { MemoryTreeView } from '../../support/memory/treeView.ts';
import { connectBoth, createWorld, firstUrl } from '../../support/memory/world.ts';
import { renderTree } from '../../support/renderTree.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 0, 5, 10);

function makeKey(id: string, change: Partial<ApiKey>): ApiKey {
  return {
    id,
    name: `Key ${id}`,
    preview: 'svc_sk_ab…',
    expiration: null,
    expiresAt: null,
    createdAt: new Date(now - day),
    lastUsedAt: null,
    requestCount: null,
    revokedAt: null,
    ...change,
  };
}

const keys: readonly ApiKey[] = [
  makeKey('k1', { name: 'VS Code', lastUsedAt: new Date(now - 5 * 60_000) }),
  makeKey('k2', { expiresAt: new Date(now + 3 * day) }),
  makeKey('k3', { expiresAt: new Date(now - day) }),
  makeKey('k5', { expiresAt: new Date(now + day / 2) }),
  makeKey('k4', { revokedAt: new Date(now - day) }),
];

const secrets: readonly Secret[] = [
  {
    name: 'API_TOKEN',
    updatedAt: new Date(now - 3 * day),
    origins: ['https://api.example.com'],
    isUnreadable: false,
  },
  { name: 'OLD_TOKEN', updatedAt: new Date(now - day), origins: [], isUnreadable: true },
];

async function start(listKeys: () => Promise<readonly ApiKey[]>) {
  const world = createWorld();
  const [firstId] = await connectBoth(world);
  await world.connections.setSettingsPage(firstId, 'https://first.example/keys');
  await world.connections.add(
    { name: 'Local service', kind: 'local', baseUrl: firstUrl, apiKey: 'svc_sk_good' },
    { verify: 'never' },
  );
  await world.connections.switchTo(firstId);
  const state = new ObservableValue<KeyState>({
    kind: 'running',
    settings: { listKeys, listSecrets: () => Promise.resolve(secrets) },
  });
  const contexts = new Map<string, unknown>();
  const view = new MemoryTreeView();
  const contextKeys = (name: string, value: unknown) => void contexts.set(name, value);
  const tree = createConnectionsTree(view, {
    ...world,
    localData: { folder: '/home/ada/local-service' },
    localService: { state },
    contextKeys,
  });
  return { world, firstId, tree, state, render: () => renderTree(tree, view, contexts) };
}

describe('the Connections view as a text', () => {
  it('has services, the keys of the local one, and where the others come from', async () => {
    const { tree, render } = await start(() => Promise.resolve(keys));
    assertGolden('connectionsView', await render());
    tree.dispose();
  });

  it('says on the row what is the matter with a connection, until it works again', async () => {
    const { world, firstId, tree, render } = await start(() => Promise.resolve([]));
    const rowAfter = async (failure: ServiceError | null): Promise<string> => {
      world.first.failure = failure;
      await world.workflows.search(firstId, {}, new AbortController().signal).catch(() => undefined);
      return (await render()).split('\n').slice(0, 4).join('\n');
    };
    const refused = new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'down');
    const revoked = new ServiceError({ kind: 'keyRejected', code: 'api_key_revoked' }, 'M', { status: 401 });
    const expired = new ServiceError({ kind: 'keyRejected', code: null }, 'Key expired', { status: 403 });
    const broken = new ServiceError({ kind: 'unavailable' }, 'M', { status: 503 });
    const missing = new ServiceError({ kind: 'notFound' }, 'M', { status: 404 });
    const limited = new ServiceError({ kind: 'rateLimited', retryAt: 0, isQuota: false }, 'M');
    const rows = [];
    for (const failure of [refused, limited, revoked, expired, broken, missing, refused, null])
      rows.push(await rowAfter(failure));
    assertGolden('connectionsViewTroubles', rows.join('\n'));
    tree.dispose();
  });

  it('forgets what was the matter with another key or address', async () => {
    const { world, firstId, tree } = await start(() => Promise.resolve([]));
    const { connectionTroubles, connections } = world;
    const fail = async (): Promise<void> => {
      world.first.failure = new ServiceError({ kind: 'keyRejected', code: null }, 'M', { status: 401 });
      await world.workflows.search(firstId, {}, new AbortController().signal).catch(() => undefined);
      world.first.failure = null;
      assert.equal(connectionTroubles.find(firstId)?.reason.kind, 'keyRejected');
    };
    await fail();
    await connections.replaceKey(firstId, 'svc_sk_good');
    assert.equal(connectionTroubles.find(firstId), undefined);
    await fail();
    await connections.remove(firstId);
    assert.equal(connectionTroubles.find(firstId), undefined);
    tree.dispose();
  });

  it('says why the keys could not be read', async () => {
    const { tree, render } = await start(() =>
      Promise.reject(new ServiceError({ kind: 'unavailable' }, 'down', { status: 503 })),
    );
    assertGolden('connectionsViewFailed', await render());
    tree.dispose();
  });

  it('has no rows below a local service that does not run', async () => {
    const { tree, state, render } = await start(() => Promise.resolve(keys));
    state.set({ kind: 'stopped' });
    assertGolden('connectionsViewStopped', await render());
    tree.dispose();
  });
});
