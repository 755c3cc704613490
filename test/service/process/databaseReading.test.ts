// However many callers ask at the same time, a database is read once, and no caller waits forever.
import assert from 'node:assert/strict';
import { DatabaseReading } from '../../../src/service/process/databaseReading.ts';

describe('A reading of a database', () => {
  const counted = (options?: ConstructorParameters<typeof DatabaseReading>[1]) => {
    let asked = 0;
    return new DatabaseReading(() => Promise.resolve((asked += 1)), options);
  };

  it('is shared by all that ask at the same time, and by no later one', async () => {
    const reading = counted();
    assert.deepEqual(await Promise.all([reading.read(), reading.read(), reading.read()]), [1, 1, 1]);
    assert.equal(await reading.read(), 2);
  });

  it('serves later ones while it is fresh', async () => {
    const reading = counted({ freshMs: 3_600_000 });
    assert.deepEqual([await reading.read(), await reading.read()], [1, 1]);
    const until = counted({ freshMs: 1 });
    while ((await until.read()) !== 2) await new Promise((resolve) => setImmediate(resolve));
  });

  it('is undefined when the database refuses, or does not respond in time', async () => {
    const refused = new DatabaseReading<number>(() => Promise.reject(new Error('It is away.')));
    assert.equal(await refused.read(), undefined);
    const silent = new DatabaseReading<number>(() => new Promise<number>(() => undefined), { longestMs: 1 });
    assert.equal(await silent.read(), undefined);
  });
});
