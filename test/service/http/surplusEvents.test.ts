// Portal events over a limit, such as those of a version with another limit, are deleted in steps that delay no one.
import assert from 'node:assert/strict';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import { createTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';
import { queryStorage } from '../../support/storage.ts';
import { call, listAt } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

/** What a step may delete. */
const maximumCount = 1000;
const maximumBytes = 20 * 1024 * 1024;

interface Size {
  readonly count: number;
  readonly bytes: number;
}

describe('Portal events over a limit', () => {
  let dataFolder = '';
  let path = '';
  let service: TestService | undefined;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = databasePath(dataFolder);
  });
  afterEach(async () => {
    await service?.dispose();
    service = undefined;
    await removeDataFolder(dataFolder);
  });

  const size = async (): Promise<Size> => {
    const [row] = await queryStorage(
      path,
      'SELECT count(*) AS count, sum(octet_length(data)) AS bytes FROM portal_events',
    );
    return { count: Number(row?.['count']), bytes: Number(row?.['bytes']) };
  };
  const fill = async (count: number, data: string) => {
    await (await createTestService({ path })).dispose();
    await queryStorage(
      path,
      `INSERT INTO portal_events (position, id, type, timestamp, data)
         WITH RECURSIVE more (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM more WHERE number < ${count})
         SELECT number, 'evt_' || number, 'portal.old', '', '${data}' FROM more`,
    );
  };
  /** Publishes and reads an event again and again until the limit is kept; each time, no more may go than a step may delete. */
  const publishUntil = async (options: TestServiceOptions, isKept: (now: Size) => boolean) => {
    service = await createTestService({ path, requestsPerMinute: 10_000, ...options });
    let before = await size();
    for (let steps = 1; ; steps += 1) {
      await call(service, 'POST', '/v1/portal/events', { type: 'new', data: {} });
      const [newest] = listAt((await call(service, 'GET', '/v1/portal/events?limit=1')).body, 'data');
      assert.equal(newest?.['type'], 'portal.new');
      const after = await size();
      const gone = { count: before.count - after.count, bytes: before.bytes - after.bytes };
      assert.ok(gone.count < maximumCount && gone.bytes <= maximumBytes, JSON.stringify(gone));
      if (isKept(after)) return steps;
      assert.ok(gone.count > 0, 'each step deletes some');
      before = after;
    }
  };

  it('in number are deleted by a thousand at most', async () => {
    await fill(5200, '{}');
    assert.equal(await publishUntil({ eventLimits: { count: 50 } }, ({ count }) => count <= 50), 6);
  });

  it('in bytes are deleted by 20 MiB at most', async () => {
    await fill(100, JSON.stringify({ text: 'x'.repeat(1_000_000) }));
    const steps = await publishUntil(
      { eventLimits: { bytes: 10_000_000 } },
      ({ bytes }) => bytes <= 10_000_000,
    );
    assert.equal(steps, 5);
  });

  it('are deleted step by step even if nothing publishes or reads any', async () => {
    await fill(3200, '{}');
    service = await createTestService({ path, eventLimits: { count: 50 } });
    let steps = 0;
    while (await service.store.shrink(1)) steps += 1;
    assert.ok(steps >= 3, String(steps));
    assert.equal((await size()).count, 50);
  });
});
