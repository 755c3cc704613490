// What a search among 100,000 executions costs on both databases, and what the same writes cost with and without its index.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.ts';
import { SearchIndexing } from '../../src/service/process/searchIndexing.ts';
import { migrate } from '../../src/service/store/postgres/schema.ts';
import { createDeployed } from '../service/calls.ts';
import { endedExecutions } from '../service/searching.ts';
import { PostgresServer } from '../support/postgres.ts';
import { createTestService } from '../support/service.ts';
import { openTestStorage, queryStorage, templateVariable } from '../support/storage.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { Calls, definition, execute } from './load.ts';

const many = 100_000;
/** How many executions a statement adds. */
const block = 10_000;
const repetitions = 15;
const writeRounds = 5;
const writes = 1500;
const warmUp = 200;

const searches: readonly (readonly [found: string, text: string])[] = [
  ['the newest ones', 'back door'],
  ['one in the middle', 'INV-51234'],
  ['the oldest one', 'r79'],
  ['a hundred', 'customer 123'],
  ['none', 'no such text'],
  ['none, of two characters', 'zq'],
];

async function measureSearches(database: string): Promise<readonly Figure[]> {
  const path = join(tmpdir(), `${randomUUID()}.db`);
  const { store } = await openTestStorage({ path, now: Date.now, logger: silentLogger });
  try {
    for (let from = 0; from < many; from += block)
      for (const statement of endedExecutions(from, block)) await queryStorage(path, statement);
    const began = performance.now();
    while (await store.searchQueue.step());
    const rate = (many / (performance.now() - began)) * 1000;
    const figures: Figure[] = [{ name: `${database}: into the index`, values: [rate], unit: 'a second' }];
    for (const [found, text] of searches) {
      const times: number[] = [];
      for (let count = 0; count < repetitions; count += 1) {
        const start = performance.now();
        await store.executions.list({ limit: 50, search: { text } });
        times.push(performance.now() - start);
      }
      figures.push({ name: `${database}: first page, ${found}`, values: times, unit: 'ms', aim: '≤ 200 ms' });
    }
    return figures;
  } finally {
    await store.close();
    await removeFiles(path);
  }
}

/** Returns how many executions end in a second, with the index or without any trace of it. */
async function measureWrites(isIndexed: boolean): Promise<number> {
  const path = join(tmpdir(), `${randomUUID()}.db`);
  const service = await createTestService({ path, requestsPerMinute: 1_000_000 });
  if (!isIndexed) await queryStorage(path, dropTrigger());
  const indexing = isIndexed ? new SearchIndexing({ store: service.store, logger: silentLogger }) : undefined;
  try {
    const calls = new Calls(service);
    const workflowId = await createDeployed(service, definition);
    await execute(calls, workflowId, warmUp);
    return await execute(calls, workflowId, writes);
  } finally {
    indexing?.dispose();
    await service.dispose();
    await removeFiles(path);
  }
}

function dropTrigger(): string {
  const isOnPostgres = process.env[templateVariable] !== undefined;
  return `DROP TRIGGER executions_searched${isOnPostgres ? ' ON executions' : ''}`;
}

/** They take turns, so that a busy moment of the machine concerns both. */
async function measureBoth(database: string): Promise<readonly Figure[]> {
  const rates: Record<'with' | 'without', number[]> = { without: [], with: [] };
  for (let round = 0; round < writeRounds; round += 1) {
    rates.without.push(await measureWrites(false));
    rates.with.push(await measureWrites(true));
  }
  const without = `${database}: executions without the index`;
  return [
    { name: without, values: rates.without, unit: 'a second' },
    {
      name: `${database}: executions with the index`,
      values: rates.with,
      unit: 'a second',
      comparedTo: without,
      aim: 'at least 0.95 ×',
    },
  ];
}

async function removeFiles(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
}

export const searching: Benchmark = {
  name: `Search: among ${many} executions, and writes beside its index`,
  async measure() {
    const figures = [...(await measureBoth('SQLite')), ...(await measureSearches('SQLite'))];
    const server = await PostgresServer.start({ isDurable: true });
    try {
      const template = await server.createDatabase('template');
      await migrate(template);
      process.env[templateVariable] = template.url;
      return [...figures, ...(await measureBoth('PostgreSQL')), ...(await measureSearches('PostgreSQL'))];
    } finally {
      Reflect.deleteProperty(process.env, templateVariable);
      await server.dispose();
    }
  },
};
