// A folder of hundreds of definitions costs no more than reading the list.
import assert from 'node:assert/strict';
import { Clone, connect, createRemote, definitionOf, kindsOf, type Remote } from './filesWorld.ts';

const count = 500;

describe('500 workflows as files', function () {
  this.timeout(120_000);
  let remote: Remote;
  before(async () => {
    remote = await createRemote();
    const filler = Array.from({ length: 40 }, (_, index) => ({
      id: `n${index}`,
      type: 'log',
      config: { message: 'm' },
    }));
    for (let number = 0; number < count; number += 1)
      await remote.create(definitionOf(`W${number}`, 'input', { settings: { filler } }));
  });
  after(() => remote.dispose());

  it('are compared by at most 10 requests, and pushed where they changed', async () => {
    const clone = new Clone(remote.model);
    await clone.pull();
    let requests = 0;
    const model = await connect(remote.service, { onRequest: () => (requests += 1) });
    try {
      const counted = clone.restarted(model);
      requests = 0;
      const before = process.cpuUsage();
      const states = Object.values(await counted.states());
      const { user, system } = process.cpuUsage(before);
      assert.equal(states.filter((state) => state === 'same').length, count);
      assert.ok(requests <= 10, `${requests} requests`);
      // In microseconds, with what the service takes in this process.
      assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
      const file = 'W7.workflow.json';
      counted.write(file, { ...(counted.definition(file) ?? {}), description: 'changed' });
      requests = 0;
      const results = await counted.push();
      assert.ok(requests <= 12, `${requests} requests`);
      assert.deepEqual(new Set(kindsOf(results)), new Set(['done']));
    } finally {
      model.dispose();
    }
  });
});
