// What a service offers decides what is drawn, also for a moment after its connection was removed.
import assert from 'node:assert/strict';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

describe('what a connection offers', () => {
  it('is what its service has told, and nothing any more once it is removed', async () => {
    const world = createWorld();
    const [id] = await connectBoth(world);
    assert.ok(world.services.offers(id, 'cancel'));
    world.first.capabilities.set(new Set(['draft']));
    assert.ok(!world.services.offers(id, 'cancel'));
    assert.ok(world.services.offers(id, 'draft'));
    const capabilities = world.services.capabilities(id);
    await world.connections.remove(id);
    assert.ok(!world.services.offers(id, 'draft'));
    assert.equal(capabilities.current.has('draft'), true);
    assert.deepEqual([...world.services.capabilities(id).current], []);
    assert.deepEqual([...world.services.notOffered(id).current], []);
  });
});
