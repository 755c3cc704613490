// The limit of a key is one for all processes on the database, and the same as that of one process in memory.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { MemoryRequestLimit, type RequestLimit } from '../../../src/service/store/requestLimit.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { tries } from '../../support/properties.ts';
import { assertRefused, type Service, toCompleteResponse } from '../calls.ts';
import { type ApiProcess, startApi } from './processes.ts';

const stepMs = 10_000;

describe('The rate limit of several processes on one database', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;
  let own: postgres.Sql;
  let stores: PostgresStore[] = [];
  before(async () => {
    server = await PostgresServer.start();
    address = await server.createDatabase('limits');
    await migrate(address);
    own = postgres(address.url, { max: 1, connection: { search_path: 'workflow_automation' } });
    stores = Array.from({ length: 3 }, () => new PostgresStore({ address }));
  });
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await own.end();
    await server.dispose();
  });

  /** Lets the time pass: all counted requests get older. */
  const pass = async (keyId: string, milliseconds: number) => {
    await own`UPDATE requests SET times = ARRAY(
      SELECT time - ${milliseconds}::DOUBLE PRECISION FROM unnest(times) AS time ORDER BY time) WHERE key_id = ${keyId}`;
  };

  it('allows exactly its number, however many ask at the same time', async () => {
    const askers = stores.map((store) => store.limitRequests(60));
    const taken = await Promise.all(
      Array.from({ length: 100 }, () => askers.map((each) => each.take('many'))).flat(),
    );
    const allowed = taken.filter(({ isAllowed }) => isAllowed);
    assert.equal(allowed.length, 60);
    assert.deepEqual(
      allowed.map(({ remaining }) => remaining).sort((one, other) => other - one),
      Array.from({ length: 60 }, (_each, index) => 59 - index),
    );
    for (const { resetInMs } of taken) assert.ok(resetInMs > 0 && resetInMs <= 60_000, String(resetInMs));
    const [row] = await own`SELECT cardinality(times) AS size FROM requests WHERE key_id = 'many'`;
    assert.equal(row?.['size'], 60, 'what is stored is bounded');
  });

  it('slides as the limit in memory does', async () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant('take' as const), by: fc.nat(2) }),
      fc.record({ kind: fc.constant('pass' as const), steps: fc.integer({ min: 1, max: 7 }) }),
    );
    let round = 0;
    const say = async (limit: RequestLimit, keyId: string) => {
      const { isAllowed, remaining, resetInMs } = await limit.take(keyId);
      // The steps are long enough for what the test itself takes to make no difference.
      return [isAllowed, remaining, Math.ceil(resetInMs / stepMs)];
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(action, { maxLength: 30 }),
        async (most, actions) => {
          const keyId = `key ${(round += 1)}`;
          let now = 1_000_000;
          const expected = new MemoryRequestLimit(most, () => now);
          const shared = stores.map((store) => store.limitRequests(most));
          for (const each of actions) {
            if (each.kind === 'pass') {
              now += each.steps * stepMs;
              await pass(keyId, each.steps * stepMs);
            } else {
              const asked = shared[each.by];
              assert.ok(asked);
              assert.deepEqual(await say(asked, keyId), await say(expected, keyId));
            }
          }
        },
      ),
      tries(15),
    );
  });

  it('locks out no key when the clock of the database was set back', async () => {
    const limit = stores[0]?.limitRequests(1);
    assert.ok(limit);
    assert.equal((await limit.take('back')).isAllowed, true);
    assert.equal((await limit.take('back')).isAllowed, false);
    await pass('back', -3_600_000);
    assert.equal((await limit.take('back')).isAllowed, true);
    assert.equal((await limit.take('back')).isAllowed, false);
  });

  it('lets a process with a smaller limit refuse, and none stores more', async () => {
    const [big, small] = [stores[0]?.limitRequests(5), stores[1]?.limitRequests(2)];
    assert.ok(big && small);
    for (let count = 0; count < 4; count += 1) await big.take('two');
    const refused = await small.take('two');
    assert.deepEqual([refused.isAllowed, refused.remaining], [false, 0]);
    assert.deepEqual((await big.take('two')).remaining, 0);
  });

  describe('of the API', () => {
    let processes: ApiProcess[] = [];
    beforeEach(async () => {
      processes = await Promise.all([startApi(address), startApi(address), startApi(address)]);
    });
    afterEach(() => Promise.all(processes.map((each) => each.dispose())));

    const ask = async ({ app, key }: Service) =>
      toCompleteResponse(await app.request('/v1/workflows', { headers: { Authorization: `Bearer ${key}` } }));

    it('allows sixty a minute over all processes, and responds with 503 while the database is away', async () => {
      const created = await processes[0]?.store.keys.create('CI', 'never');
      const key = created?.key ?? '';
      const answers = await Promise.all(
        processes.flatMap(({ app }) => Array.from({ length: 30 }, () => ask({ app, key }))),
      );
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(
        [200, 429].map((status) => statuses.filter((each) => each === status).length),
        [60, 30],
      );
      for (const answer of answers.filter(({ status }) => status === 429)) {
        assertRefused(answer, 429, 'rate_limited');
        assert.equal(answer.headers.get('X-RateLimit-Remaining'), '0');
        assert.match(answer.headers.get('Retry-After') ?? '', /^[1-6]?\d$/);
      }
      await server.stop();
      for (const { app } of processes) assertRefused(await ask({ app, key }), 503, 'unavailable');
      // What doesn't look like a key costs the database nothing, however many of them come.
      for (const { app } of processes)
        assertRefused(await ask({ app, key: `${key}x` }), 401, 'invalid_api_key');
      await server.resume();
      for (const { app } of processes) assertRefused(await ask({ app, key }), 429, 'rate_limited');
    });
  });
});
