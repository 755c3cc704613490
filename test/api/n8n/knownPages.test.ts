// Pages of n8n's list are whole documents. Once read, they're read again only where one of their workflows has changed.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { wait } from '../../../src/base/time.ts';
import { parseJson } from '../../../src/base/json.ts';
import type { Purpose } from '../../../src/domain/budget.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { recordedKey } from '../../support/n8n/recordedN8n.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';

const nodes = Array.from({ length: 40 }, (_, index) => ({
  id: `n${index}`,
  name: `Node ${index}`,
  type: index === 0 ? 'n8n-nodes-base.webhook' : 'n8n-nodes-base.set',
  position: [index, 0],
  parameters: { path: `path-${index}`, note: 'what it does, in some words that take their room' },
}));
const content = { nodes, connections: {}, settings: {} };

describe('the list of an n8n with an MCP token', () => {
  let world: N8nWorld;
  let client: ServicePort;
  let bytes = 0;

  const add = (count: number): void => {
    for (let number = 0; number < count; number += 1)
      world.n8n.addWorkflow({ ...content, name: `Job ${number}` });
  };
  /** All pages, as a view reads them again; resolves with how many were read, and with the bytes of all answers. */
  const readAll = async (purpose: Purpose = 'workflows') => {
    const before = world.n8n.requests.length;
    bytes = 0;
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.workflows.list({ ...(cursor !== undefined && { cursor }) }, { purpose });
      names.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const pages = world.n8n.requests.slice(before).filter(({ url }) => url.startsWith('/api/v1/workflows'));
    return { pages: pages.length, names, bytes };
  };
  const first = () => [...world.n8n.workflows.values()][0] ?? assert.fail();

  beforeEach(async () => {
    world = await createN8nWorld();
    client = world.connect({ mcpToken: recordedToken });
    world.n8n.passOn = (_seen, answer) => {
      bytes += JSON.stringify(answer.body).length;
      return answer;
    };
  });
  afterEach(() => world.dispose());

  it('costs a twentieth of its bytes at most while nothing changes', async () => {
    add(239);
    const whole = await readAll();
    assert.equal(whole.pages, 5);
    const again = await readAll();
    assert.deepEqual([again.pages, again.names], [0, whole.names]);
    assert.ok(again.bytes * 20 < whole.bytes, `${again.bytes} of ${whole.bytes}`);
    assert.equal((await readAll('asked')).pages, 5);
  });

  for (const [what, change] of [
    ['is saved', () => world.n8n.replace(first(), { ...content, name: 'Changed' })],
    ['is deployed', () => world.n8n.activate(first())],
    ['gets a tag', () => (first().kept = { tags: [{ id: 't', name: 'urgent' }] })],
  ] as const)
    it(`has the page read again on which a workflow ${what}, and no other`, async () => {
      add(120);
      assert.equal((await readAll()).pages, 3);
      change();
      assert.equal((await readAll()).pages, 1);
      assert.equal((await readAll()).pages, 0);
    });

  for (const [what, change] of [
    ['is created', () => add(1)],
    ['is deleted', () => world.n8n.workflows.delete(first().id)],
    ['is archived', () => world.n8n.archive(first())],
  ] as const)
    it(`is read again where a workflow ${what}`, async () => {
      add(120);
      await readAll();
      change();
      assert.equal((await readAll()).pages, 3);
    });

  it('is read again with another key, which may not read the same', async () => {
    const other = 'another-key';
    let key = recordedKey;
    world.n8n.keys.add(other);
    client = world.connect({ key: () => key, mcpToken: recordedToken });
    add(3);
    await readAll();
    key = other;
    assert.equal((await readAll()).pages, 1);
    assert.equal((await readAll()).pages, 0);
  });

  it('is read again where a workflow comes to match its filter', async () => {
    add(3);
    const deployed = async () =>
      (await client.workflows.list({ deployed: true }, { purpose: 'workflows' })).items.map(({ id }) => id);
    assert.deepEqual(await deployed(), []);
    world.n8n.activate(first());
    assert.deepEqual(await deployed(), [first().id]);
  });

  it('shows at once what this client has deployed, which the server does not tell of what was deployed before', async () => {
    add(3);
    const { id } = first();
    world.n8n.activate(first());
    world.n8n.replace(first(), { ...content, name: 'Changed' }, false);
    const hasChanges = async () => {
      const { items } = await client.workflows.list({}, { purpose: 'workflows' });
      return items.find((each) => each.id === id)?.hasUndeployedChanges;
    };
    assert.equal(await hasChanges(), true);
    await client.workflows.deploy(id);
    assert.equal(await hasChanges(), false);
    assert.equal((await readAll()).pages, 0);
  });

  it('is read again after ten minutes, since not each deployment is told', async () => {
    add(3);
    await readAll();
    await wait(world.clock, 10 * 60_000, undefined);
    assert.equal((await readAll()).pages, 1);
  });

  it('is read each time without a token, and where the server fails or tells something else', async () => {
    add(3);
    client = world.connect({});
    for (let time = 0; time < 2; time += 1) assert.equal((await readAll()).pages, 1);
    client = world.connect({ mcpToken: recordedToken });
    await readAll();
    for (const body of ['{}', '{"jsonrpc":"2.0","id":1,"error":{"message":"No."}}']) {
      world.n8n.passOn = ({ url }, answer) =>
        url.includes('mcp') ? { status: 200, body: parseJson(body) ?? null } : answer;
      assert.equal((await readAll()).pages, 1);
    }
  });
});
