// What n8n tells of node types through its MCP server: asked for once, only with a token, and not again for a while after a failure.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { wait } from '../../../src/base/time.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { recordedToken } from '../../support/n8n/recordedMcp.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';

const set = { type: 'n8n-nodes-base.set', version: 3.4, parameters: {} };
const node = (parameters: Readonly<Record<string, string>>) => ({ ...set, parameters, isTool: false });

describe('the node types of n8n', () => {
  let world: N8nWorld;
  let client: ServicePort;
  const types = () => client.nodeTypes ?? assert.fail();
  const calls = () => world.n8n.requests.length;

  beforeEach(async () => {
    world = await createN8nWorld();
    client = world.connect({ mcpToken: recordedToken });
  });
  afterEach(() => world.dispose());

  it('are described, once for each', async () => {
    const names = (await types().describe(set))?.map(({ name }) => name);
    assert.deepEqual(names, ['mode', 'include', 'assignments', 'options', 'jsonOutput']);
    const asked = calls();
    const again = await Promise.all([types().describe(set), types().describe(set)]);
    assert.deepEqual([again[0]?.length, calls()], [5, asked]);
    await types().describe({ ...set, parameters: { mode: 'raw' } });
    assert.equal(calls(), asked + 1);
    const call = JSON.parse(world.n8n.requests.at(-1)?.text ?? '') as unknown;
    assert.deepEqual(call, {
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: {
        name: 'get_node_types',
        arguments: { nodeIds: [{ nodeId: set.type, version: '3.4', mode: 'raw' }] },
      },
    });
  });

  it('that n8n does not know have no parameters', async () => {
    assert.deepEqual(await types().describe({ ...set, type: 'own.unknown' }), []);
  });

  it('are not asked for without a token', async () => {
    client = world.client;
    assert.equal(await types().describe(set), undefined);
    assert.equal(await types().check([node({ mode: 'x' })]), undefined);
    assert.equal(calls(), 0);
  });

  it('check parameters: what is wrong, at its place', async () => {
    const found = await types().check([node({}), node({ mode: 'raww' }), node({ mode: 'raw' })]);
    const message = 'Invalid value for "parameters.mode": got "raww", expected one of: "manual", "raw".';
    assert.deepEqual(found, [[], [{ path: ['mode'], message }], []]);
  });

  it('check fifty nodes at a time', async () => {
    const many = Array.from({ length: 120 }, (_, index) => node(index === 110 ? { mode: 'x' } : {}));
    const found = await types().check(many);
    assert.deepEqual(
      found?.flatMap((faults, index) => faults.map(() => index)),
      [110],
    );
    assert.equal(calls(), 4);
  });

  it('are left alone for a minute after a refused token', async () => {
    client = world.connect({ mcpToken: 'another' });
    await assert.rejects(
      () => types().check([node({})]),
      (error) => isServiceError(error, 'mcpTokenRejected'),
    );
    assert.equal(await types().check([node({})]), undefined);
    assert.equal(calls(), 1);
    await wait(world.clock, 60_000);
    await assert.rejects(() => types().check([node({})]));
    assert.equal(calls(), 2);
  });
});
