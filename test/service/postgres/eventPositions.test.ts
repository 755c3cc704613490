// However transactions overlap, each reader in each process gets every event that was committed, once, and all in the same order.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { createDatabase } from '../../support/storage.ts';
import { tries } from '../../support/properties.ts';

const processes = 3;
const lastType = 'portal.last';

/** A transaction of the test's own: events are written at its start, and it ends after a number of other appends. */
interface LongTransaction {
  readonly beginsAfter: number;
  readonly endsAfter: number;
  readonly events: number;
  readonly isRolledBack: boolean;
}

const longTransaction = fc.record<LongTransaction>({
  beginsAfter: fc.nat(15),
  endsAfter: fc.nat(30),
  events: fc.integer({ min: 1, max: 3 }),
  isRolledBack: fc.boolean(),
});

describe('The portal events of several processes on one database', () => {
  let address: DatabaseAddress;
  let own: postgres.Sql;
  let stores: PostgresStore[] = [];
  before(async () => {
    address = await createDatabase('events');
    own = postgres(address.url, { max: 8, connection: { search_path: 'workflow_automation' } });
    stores = Array.from({ length: processes }, () => new PostgresStore({ address }));
  });
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await own.end();
  });

  /** Follows from the position until the last event. */
  const follow = async (store: PostgresStore, after: number, limit: number): Promise<string[]> => {
    const read: string[] = [];
    for (let position = after, isOver = false; !isOver;) {
      const news = Promise.withResolvers<undefined>();
      const subscription = store.subscribe('portalEvents', () => news.resolve(undefined));
      const { items } = await store.portalEvents.listAfter({}, position, limit);
      for (const { position: place, event } of items) {
        assert.ok(place > position, 'positions ascend');
        position = place;
        read.push(event.id);
        isOver ||= event.type === lastType;
      }
      if (items.length === 0) await news.promise;
      subscription.dispose();
    }
    return read;
  };

  it('come to each reader once, in one order, also those of a transaction that ends late or never', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 5, max: 40 }),
        fc.array(longTransaction, { maxLength: 5 }),
        async (appends, transactions) => {
          round += 1;
          const { last } = await own
            .unsafe<{ last: number }[]>(
              'SELECT coalesce(max(position), 0)::INTEGER AS last FROM portal_events',
            )
            .then(([row]) => row ?? { last: 0 });
          const reading = Promise.all(
            stores.flatMap((store) => [follow(store, last, 3), follow(store, last, 100)]),
          );
          const counter = new Counter();
          const committed: string[] = [];
          const longOnes = transactions.map((each, index) =>
            writeLong(own, each, counter, `long_${round}_${index}`, appends),
          );
          const short = Array.from({ length: appends }, async (_each, index) => {
            // Each waits for one of those before it, so that they overlap and still follow one another.
            await counter.reach(Math.max(0, index - 4));
            const store = stores[index % processes];
            assert.ok(store);
            committed.push(await store.portalEvents.append({ type: 'portal.short', data: {} }));
            counter.add();
          });
          await Promise.all(short);
          for (const ids of await Promise.all(longOnes)) committed.push(...ids);
          const [store] = stores;
          assert.ok(store);
          committed.push(await store.portalEvents.append({ type: lastType, data: {} }));
          const [first = [], ...others] = await reading;
          assert.deepEqual([...first].sort(), committed.sort());
          for (const other of others) assert.deepEqual(other, first);
        },
      ),
      tries(10),
    );
  });
});

/** Counts what has happened, and notifies those that wait for a count. */
class Counter {
  #count = 0;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  add(): void {
    this.#count += 1;
    for (const { count, resolve } of this.#waiting) if (count <= this.#count) resolve();
  }

  reach(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (count <= this.#count) resolve();
      else this.#waiting.push({ count, resolve });
    });
  }
}

/** Returns the ids of what was committed. */
async function writeLong(
  own: postgres.Sql,
  { beginsAfter, endsAfter, events, isRolledBack }: LongTransaction,
  counter: Counter,
  name: string,
  appends: number,
): Promise<string[]> {
  await counter.reach(Math.min(beginsAfter, appends));
  const connection = await own.reserve();
  try {
    const ids = Array.from({ length: events }, (_each, index) => `${name}_${index}`);
    await connection`BEGIN`;
    for (const id of ids)
      await connection`INSERT INTO portal_events (id, type, timestamp, data)
        VALUES (${id}, 'portal.long', '2026-01-01T00:00:00.000Z', '{}')`;
    await counter.reach(Math.min(beginsAfter + endsAfter, appends));
    await connection.unsafe(isRolledBack ? 'ROLLBACK' : 'COMMIT');
    return isRolledBack ? [] : ids;
  } finally {
    connection.release();
  }
}
