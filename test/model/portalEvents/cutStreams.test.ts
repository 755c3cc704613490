// Events published while the stream is cut at any byte are all there in the end, once each and in order: the real service over real sockets.
import assert from 'node:assert/strict';
import { createHttpPort } from '../../../src/api/http/http.ts';
import { listen } from '../../../src/service/process/listen.ts';
import { createCuttingProxy } from '../../support/cuttingProxy.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { createPortalEventsWorld, stateWhen } from '../../support/portalEventsWorld.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { createTestService } from '../../support/service.ts';

const published = 60;

/** Listens through a line that is cut, while events are published one at a time; answers how often it was cut. */
async function run(seed: number): Promise<number> {
  const random = createRandom(seed);
  const service = await createTestService({ requestsPerMinute: 100_000, heartbeatMs: 5 });
  const listener = await listen(service.app, 0);
  let cutsLeft = 12;
  const proxy = await createCuttingProxy(listener.port, () => {
    cutsLeft -= 1;
    return cutsLeft < 0 ? Infinity : Math.floor(random() * 6000);
  });
  const http = createHttpPort({ environment: {} });
  const world = createPortalEventsWorld({ http, clock: createHastyClock() });
  const { portalEvents } = world;
  try {
    await world.connect(`http://127.0.0.1:${proxy.port}/v1`, service.key);
    portalEvents.setAttention({ isVisible: true, isFocused: true });
    portalEvents.setListenMode('whenVisible');
    const ids: string[] = [];
    for (let number = 0; number < published; number += 1) {
      const data = { number, text: 'Grüße ✓ 🚀' };
      const id = await service.store.portalEvents.append({ type: 'portal.tick', data });
      ids.push(id);
      // Some come in bursts, some one by one while the stream is open or is not.
      if (random() < 0.5) await stateWhen(portalEvents, ({ items }) => items[0]?.id === id);
    }
    const last = ids.at(-1);
    const { items, gap, unread } = await stateWhen(portalEvents, (state) => state.items[0]?.id === last);
    const shown = items.map(({ id }) => id);
    assert.deepEqual(shown, ids.toReversed(), `seed ${seed}`);
    assert.deepEqual([gap, unread], [null, 0]);
    return proxy.cuts;
  } finally {
    world.dispose();
    http.dispose();
    await proxy.close();
    await listener.close();
    await service.dispose();
  }
}

describe('portal events over a line that is cut', () => {
  it('are neither lost nor doubled, wherever it is cut', async () => {
    let cuts = 0;
    for (let seed = 1; seed <= 6; seed += 1) cuts += await run(seed);
    assert.ok(cuts > 30, `only ${cuts} cuts`);
  });
});
