// Each row of n8n's list is a whole document: of a thousand large ones, a page is shown at a time, and nothing of the documents is kept.
import assert from 'node:assert/strict';
import type { Workflow } from '../../src/domain/workflow.ts';
import { createModelWorld, type ModelWorld } from '../support/n8n/modelWorld.ts';

const count = 1000;
/** In characters of JSON. */
const mostOfRow = 600;

const nodes = Array.from({ length: 100 }, (_, index) => ({
  id: `n${index}`,
  name: `Node ${index}`,
  type: index === 0 ? 'n8n-nodes-base.webhook' : 'n8n-nodes-base.set',
  position: [index, 0],
  parameters: { path: `path-${index}`, note: 'what it does' },
}));
const connections = Object.fromEntries(
  nodes
    .slice(1)
    .map(({ name }, index) => [`Node ${index}`, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
);

describe('a thousand workflows of an n8n with a hundred nodes each', () => {
  let world: ModelWorld;

  before(async () => {
    world = await createModelWorld();
    for (let number = 0; number < count; number += 1)
      world.n8n.activate(
        world.n8n.addWorkflow({ name: `Job ${number}`, nodes, connections, settings: { timezone: 'UTC' } }),
      );
  });
  after(() => world.dispose());

  const pagesAsked = () =>
    world.n8n.requests.filter(({ url }) => url.startsWith('/api/v1/workflows?')).length;
  const keepsNoDocument = (rows: readonly Workflow[]): void => {
    for (const row of rows) {
      assert.deepEqual([row.hasDefinition, row.deployedDefinition], [false, null]);
      const text = JSON.stringify(row);
      assert.ok(text.length < mostOfRow && !text.includes('parameters') && !text.includes('timezone'), text);
    }
  };

  it('show their first page before the last one is read, and then one page after the other', async () => {
    const { workflows } = world.model;
    await workflows.refresh();
    const first = workflows.state.current;
    assert.equal(pagesAsked(), 1);
    assert.ok(first.status === 'loaded' && first.items.length > 0 && first.items.length < 100);
    assert.notEqual(first.nextCursor, null);
    keepsNoDocument(first.items);
    while (workflows.state.current.nextCursor !== null) {
      const before = workflows.state.current.items.length;
      await workflows.loadMore();
      assert.ok(workflows.state.current.items.length > before);
    }
    const { items } = workflows.state.current;
    assert.equal(new Set(items.map(({ id }) => id)).size, count);
    keepsNoDocument(items);
  });

  it('are told to code whole, without their documents too', async () => {
    const { workflows } = world.model;
    const rows = await workflows.listWhole(world.n8nId, {
      limit: count,
      signal: new AbortController().signal,
    });
    assert.equal(rows.length, count);
    keepsNoDocument(rows);
    const [row] = rows;
    const opened = await workflows.read({ connectionId: world.n8nId, workflowId: row?.id ?? '' });
    assert.ok(opened.hasDefinition && JSON.stringify(opened.raw).length > 10_000);
  });
});
