// Lists by start time have what a filter of all executions has, also where clocks disagree, executions waited long or never began.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock, toTimestamp } from '../../../src/base/time.ts';
import { databasePath } from '../../../src/protocol/localService/dataFolder.ts';
import type { ExecutionQuery } from '../../../src/service/store/executions.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { openTestStorage, queryStorage, type TestStorage } from '../../support/storage.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

const count = 6000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const workflows = ['wf_0', 'wf_1', 'wf_2'] as const;
const statuses = ['completed', 'failed'] as const;

interface Stored {
  readonly id: string;
  readonly workflowId: string;
  readonly status: 'completed' | 'failed';
  readonly startedAt: string | null;
}

type Query = Omit<ExecutionQuery, 'limit' | 'before'>;

describe('Lists of executions by start time', () => {
  const random = createRandom(20_261_122);
  const below = (limit: number) => Math.floor(random() * limit);
  let dataFolder = '';
  let storage: TestStorage;
  let stored: readonly Stored[] = [];

  before(async () => {
    dataFolder = await createDataFolder();
    const path = databasePath(dataFolder);
    storage = await openTestStorage({ path, now: systemClock.now, logger: silentLogger });
    const all = Array.from({ length: count }, (_, number) => createStored(number));
    const values = all.map(
      ({ id, workflowId, status, startedAt }) =>
        `('${id}', '${workflowId}', 'evt', '${status}', 'api', '', ${startedAt === null ? 'NULL' : `'${startedAt}'`}, '{}')`,
    );
    await queryStorage(
      path,
      `INSERT INTO executions (id, workflow_id, event_id, status, cause, created_at, started_at, input)
       VALUES ${values.join(', ')}`,
    );
    // As retention does.
    const [kept, deleted] = [all.slice(1500), all.slice(0, 1500)];
    await queryStorage(
      path,
      `DELETE FROM executions WHERE id IN (${deleted.map(({ id }) => `'${id}'`).join(', ')})`,
    );
    stored = kept.reverse();
  });
  after(async () => {
    await storage.store.close();
    await removeDataFolder(dataFolder);
  });

  /** The clock is a day behind from the execution 3,000 on; of some that follow each other, none began. */
  function createStored(number: number): Stored {
    const hasBegun = (number < 4000 || number > 5100) && below(10) > 0;
    const waitedMs = below(100) === 0 ? below(dayMs) : below(minuteMs);
    const time = Date.UTC(2026, 0, 3) + number * minuteMs + waitedMs - (number < 3000 ? 0 : dayMs);
    return {
      id: `exec_${number}`,
      workflowId: workflows[below(3)] ?? workflows[0],
      status: statuses[below(20) === 0 ? 1 : 0],
      startedAt: hasBegun ? toTimestamp(time) : null,
    };
  }

  const someTime = () => toTimestamp(Date.UTC(2026, 0, 2) + below(6 * 24 * 60) * minuteMs);

  function expected(query: Query): string[] {
    const { workflowId, status, startedAfter = '', startedBefore = '~' } = query;
    return stored
      .filter((each) => workflowId === undefined || each.workflowId === workflowId)
      .filter((each) => status === undefined || each.status === status)
      .filter(({ startedAt }) => startedAt !== null && startedAt > startedAfter && startedAt < startedBefore)
      .map(({ id }) => id);
  }

  async function read(query: Query): Promise<string[]> {
    const ids: string[] = [];
    for (let before: number | undefined; ;) {
      const page = await storage.store.executions.list({ ...query, limit: 100, before });
      ids.push(...page.items.map(({ id }) => id));
      if (page.nextPosition === null) return ids;
      before = page.nextPosition;
    }
  }

  it('have all executions that began then, newest first, on all pages', async () => {
    for (let round = 0; round < 30; round += 1) {
      const query: Query = {
        ...(round % 3 > 0 && { startedAfter: someTime() }),
        ...(round % 3 < 2 && { startedBefore: someTime() }),
        ...(below(2) === 0 && { workflowId: workflows[below(3)] }),
        ...(below(2) === 0 && { status: statuses[below(2)] }),
      };
      assert.deepEqual(await read(query), expected(query), JSON.stringify(query));
    }
  });

  it('are empty before the first and after the last one', async () => {
    assert.deepEqual(await read({ startedBefore: toTimestamp(Date.UTC(2025, 0)) }), []);
    assert.deepEqual(await read({ startedAfter: toTimestamp(Date.UTC(2027, 0)) }), []);
  });
});
