// A search of an n8n, whose list says little and whose records say all at once.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { ExecutionSearches } from '../../../src/model/search/executionSearches.ts';
import { searchExecutions } from '../../../src/model/search/searchExecutions.ts';
import { createModelWorld, type ModelWorld } from '../../support/n8n/modelWorld.ts';
import { turnOf } from '../../support/n8n/world.ts';

const webhook = { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } };
const content = { name: 'Sorts', nodes: [webhook], connections: {}, settings: {} };

const turn = (json: JsonObject, error?: JsonObject) => ({
  ...turnOf(1_795_189_400_000, 0, [json]),
  ...(error && { executionStatus: 'error', error }),
});

describe('a search of an n8n', () => {
  let world: ModelWorld;
  let searches: ExecutionSearches;
  let workflowId = '';

  beforeEach(async () => {
    world = await createModelWorld();
    searches = new ExecutionSearches(world.model);
    workflowId = world.n8n.addWorkflow(content).id;
    world.n8n.addWorkflow({ ...content, name: 'Other' });
  });
  afterEach(() => world.dispose());

  async function search(query: string): Promise<readonly (readonly unknown[])[]> {
    const { model, n8nId } = world;
    const deps = { searches, clock: model.clock };
    const { signal } = new AbortController();
    const { found } = await searchExecutions(deps, n8nId, query, { limit: 100, signal });
    return found.map(({ id, found: places = [] }) => [
      id,
      ...places.map(({ nodeId, path }) => `${nodeId}: ${path}`),
    ]);
  }

  function execute(json: JsonObject, error?: JsonObject): string {
    const { id } = world.n8n.start(workflowId);
    world.n8n.ran(id, 'Input', turn(json, error));
    world.n8n.end(id, error === undefined ? 'success' : 'error', error ?? null);
    return String(id);
  }

  it('finds values and errors, with one request for each execution, and again with none', async () => {
    const one = execute({ body: { invoice: 'INV-7' } });
    const other = execute({ body: { invoice: 'INV-8' } });
    const failed = execute({}, { message: 'INV-7 is unknown', name: 'NodeApiError' });
    const found = await search('inv-7');
    assert.deepEqual(
      found.map(([id]) => id),
      [failed, one],
    );
    assert.ok(
      found[1]?.some((place) => String(place).endsWith('body.invoice')),
      String(found[1]),
    );
    const { requests } = world.n8n;
    for (const id of [one, other, failed])
      assert.equal(requests.filter(({ url }) => url.includes(`/executions/${id}?`)).length, 1);
    const { length } = requests;
    assert.deepEqual(
      (await search('INV-8 status:completed')).map(([id]) => id),
      [other],
    );
    assert.ok(requests.slice(length).every(({ url }) => !/executions\/\d/.test(url)));
  });

  it('asks for what its list filters, and holds to the rest', async () => {
    const one = execute({ a: 1 });
    const failed = execute({}, { message: 'Timed out', name: 'NodeApiError' });
    const { id: running } = world.n8n.start(workflowId);
    const { requests } = world.n8n;
    const asks = (part: string) => requests.some(({ url }) => url.includes(part));
    assert.deepEqual(await search('status:completed'), [[one]]);
    assert.ok(asks('status=success'));
    assert.deepEqual(await search('status:running'), [[String(running)]]);
    assert.deepEqual(await search('status:failed workflow:Sorts'), [[failed]]);
    assert.ok(asks(`workflowId=${workflowId}`));
    assert.deepEqual(await search('workflow:Other'), []);
    assert.deepEqual(await search('node:Input'), [[failed]]);
    assert.deepEqual(await search('kind:draft'), []);
    assert.deepEqual(await search('before:2000-01-01'), []);
  });

  it('finds nothing in what is no longer kept', async () => {
    const one = execute({ invoice: 'INV-7' });
    world.n8n.instead = (call) => {
      if (call === `GET /executions/${one}`) world.n8n.executions.delete(Number(one));
      return undefined;
    };
    assert.deepEqual(await search('inv-7'), []);
  });
});
