// What a key has no right to is asked once, and again where the answer didn't come.
import assert from 'node:assert/strict';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';

describe('the rights of a key of n8n', () => {
  let world: N8nWorld;

  beforeEach(async () => {
    world = await createN8nWorld();
    world.n8n.rights.delete('execution:stop');
  });
  afterEach(() => world.dispose());

  const missing = () => world.client.missingRights?.();
  const asked = () => world.n8n.requests.filter(({ url }) => url.endsWith('/discover')).length;

  it('are asked for once', async () => {
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await missing(), ['execution:stop']);
    assert.equal(asked(), 1);
  });

  it('are asked for again once n8n can be reached again', async () => {
    world.n8n.passOn = () => ({ status: 503, body: { message: 'Service unavailable' } });
    assert.deepEqual(await missing(), []);
    world.n8n.passOn = (_seen, answer) => answer;
    assert.deepEqual(await missing(), ['execution:stop']);
  });
});
