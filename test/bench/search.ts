// What a search among 100,000 executions costs on both databases, and what the same writes cost with and without its index.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.ts';
import { SearchIndexing } from '../../src/service/process/searchIndexing.ts';
import { migrate } from '../../src/service/store/postgres/schema.ts';
import { createDeployed } from '../service/calls.ts';
import { endedExecutions, fillIndex } from '../service/searching.ts';
import { PostgresServer } from '../support/postgres.ts';
import { createTestService } from '../support/service.ts';
import { isOnPostgres, openTestStorage, queryStorage, templateVariable } from '../support/storage.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { Calls, definition, execute } from './load.ts';
import { readProcessorTimeOf } from './processorTime.ts';

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

async function measureSearches(database: string, server?: number): Promise<readonly Figure[]> {
  const path = join(tmpdir(), `${randomUUID()}.db`);
  const { store } = await openTestStorage({ path, now: Date.now, logger: silentLogger });
  try {
    for (let from = 0; from < many; from += block)
      for (const statement of endedExecutions(from, block)) await queryStorage(path, statement);
    const [began, before] = [performance.now(), await readProcessorTime(server)];
    await fillIndex(store);
    const rate = (many / (performance.now() - began)) * 1000;
    const processorTime = ((await readProcessorTime(server)) - before) / many;
    const figures: Figure[] = [
      { name: `${database}: into the index`, values: [rate], unit: 'a second' },
      {
        name: `${database}: processor time of one into the index`,
        values: [processorTime],
        unit: 'ms',
        comparedTo: `${database}: processor time of one without the index`,
        aim: 'at most 0.05 ×',
      },
      ...(await measureSizes(database, path)),
    ];
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

/** On disk, for one execution. */
async function measureSizes(database: string, path: string): Promise<readonly Figure[]> {
  const [row] = await queryStorage(path, isOnPostgres() ? sizesOnPostgres : sizesOnSqlite);
  const ofIndex = Number(row?.['of_index']) / many;
  const others = Number(row?.['of_all']) / many - ofIndex;
  const without = `${database}: one without the index`;
  return [
    { name: without, values: [others], unit: 'bytes' },
    { name: `${database}: one in the index`, values: [ofIndex], unit: 'bytes', comparedTo: without },
  ];
}

const sizesOnSqlite = `SELECT sum(pgsize) AS of_all, sum(CASE WHEN name LIKE 'search%' THEN pgsize ELSE 0 END) AS of_index
  FROM dbstat`;
const sizesOnPostgres = `SELECT sum(size) AS of_all, sum(CASE WHEN relname LIKE 'search%' THEN size ELSE 0 END) AS of_index
  FROM (SELECT relname, pg_total_relation_size(oid) AS size FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'workflow_automation'::regnamespace) AS tables`;

interface Writes {
  /** How many executions end in a second. */
  readonly rate: number;
  /** Of the service and the database for one execution, until its values are in the index. In milliseconds. */
  readonly processorTime: number;
  /** How many wait for the index when all have ended. */
  readonly waiting: number;
}

/** `server`: the process of the database, where that isn't the service's own. */
async function measureWrites(isIndexed: boolean, server: number | undefined): Promise<Writes> {
  const path = join(tmpdir(), `${randomUUID()}.db`);
  const service = await createTestService({ path, requestsPerMinute: 1_000_000 });
  if (!isIndexed) await queryStorage(path, dropTrigger());
  const { searchQueue } = service.store;
  const indexing = isIndexed ? new SearchIndexing({ store: service.store, logger: silentLogger }) : undefined;
  try {
    const calls = new Calls(service);
    const workflowId = await createDeployed(service, definition);
    await execute(calls, workflowId, warmUp);
    await fillIndex(service.store);
    const before = await readProcessorTime(server);
    const rate = await execute(calls, workflowId, writes);
    const waiting = await searchQueue.count();
    indexing?.dispose();
    await fillIndex(service.store);
    const processorTime = ((await readProcessorTime(server)) - before) / writes;
    return { rate, processorTime, waiting };
  } finally {
    indexing?.dispose();
    await service.dispose();
    await removeFiles(path);
  }
}

function dropTrigger(): string {
  return `DROP TRIGGER executions_searched${isOnPostgres() ? ' ON executions' : ''}`;
}

/** They take turns, so that a busy moment of the machine concerns both. */
async function measureBoth(database: string, server?: number): Promise<readonly Figure[]> {
  const without: Writes[] = [];
  const indexed: Writes[] = [];
  for (let round = 0; round < writeRounds; round += 1) {
    without.push(await measureWrites(false, server));
    indexed.push(await measureWrites(true, server));
  }
  const figure = (
    name: string,
    unit: Figure['unit'],
    valueOf: (each: Writes) => number,
    aim: string,
  ): readonly Figure[] => {
    const alone = `${database}: ${name} without the index`;
    return [
      { name: alone, values: without.map(valueOf), unit },
      {
        name: `${database}: ${name} with the index`,
        values: indexed.map(valueOf),
        unit,
        comparedTo: alone,
        aim,
      },
    ];
  };
  return [
    ...figure('executions', 'a second', ({ rate }) => rate, 'at least 0.95 ×'),
    ...figure('processor time of one', 'ms', ({ processorTime }) => processorTime, 'at most 1.05 ×'),
    {
      name: `${database}: of ${writes}, in no index yet at the end`,
      values: indexed.map(({ waiting }) => waiting),
      unit: 'executions',
    },
  ];
}

/** Returns what this process has taken, and the database with its connections, in milliseconds. */
async function readProcessorTime(server: number | undefined): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (server === undefined ? 0 : await readProcessorTimeOf(server));
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
      return [
        ...figures,
        ...(await measureBoth('PostgreSQL', server.pid)),
        ...(await measureSearches('PostgreSQL', server.pid)),
      ];
    } finally {
      Reflect.deleteProperty(process.env, templateVariable);
      await server.dispose();
    }
  },
};
