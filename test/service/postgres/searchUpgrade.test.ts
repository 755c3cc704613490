// The search on PostgreSQL after an upgrade, beside a process of the version before, and after a process was killed.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { olderName } from '../../../src/service/store/postgres/olderProcesses.ts';
import { storeSchema } from '../../../src/service/store/postgres/pool.ts';
import { migrate, migrations } from '../../../src/service/store/postgres/schema.ts';
import { createEmptyDatabase } from '../../support/storage.ts';
import { call } from '../calls.ts';
import { createKey, type Program, serviceOf, startTeamService } from '../process/program.ts';
import { endedExecutions, idsOf } from '../searching.ts';

const count = 600;

describe('The search on a database of the version before', () => {
  let address: DatabaseAddress;
  /** A connection of a process of that version. */
  let older: postgres.Sql;
  let program: Program;
  let key = '';

  before(async () => {
    address = await createEmptyDatabase(`before_search_${randomUUID().replaceAll('-', '')}`);
    older = postgres(address.url, {
      max: 1,
      onnotice: () => undefined,
      connection: { search_path: storeSchema, application_name: olderName },
    });
    const searched = migrations.findIndex((sql) => sql.includes('CREATE TABLE search_queue'));
    await older.unsafe(
      `CREATE SCHEMA ${storeSchema}; CREATE TABLE schema_version (version INTEGER NOT NULL)`,
    );
    for (const migration of migrations.slice(0, searched)) await older.unsafe(migration);
    await older`INSERT INTO schema_version (version) VALUES (${searched})`;
    for (const statement of endedExecutions(0, count)) await older.unsafe(statement);
    await migrate(address);
    key = await createKey(address);
    program = await start();
  });
  after(async () => {
    await program.kill();
    await older.end();
  });

  /** Without retention, since the executions are old. */
  const start = () =>
    startTeamService(
      address,
      ...'--no-worker --requests-per-minute 1000000 --keep-days 0 --keep-executions 0'.split(' '),
    );
  const total = async (rows: string): Promise<number> => {
    const [row] = await older.unsafe(`SELECT count(*)::int AS total FROM ${rows}`);
    return Number(row?.['total']);
  };
  const step = `pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const find = async (): Promise<void> => {
    const service = serviceOf(program, key);
    assert.deepEqual(await idsOf(service, { q: `inv-${count}` }), [`exec_${count}`]);
    assert.deepEqual(await idsOf(service, { q: 'back door', workflowId: 'wf_7' }), ofWorkflow(7));
  };
  const untilIndexed = async (): Promise<void> => {
    while ((await total('search_queue')) > 0) await call(serviceOf(program, key), 'GET', '/health');
  };

  it('finds everything at once, also when the process is killed while it fills the index', async () => {
    await find();
    while ((await total(step)) === 0);
    await program.kill();
    while ((await total(step)) > 0);
    const left = await total('search_queue');
    assert(left > 0, 'It was killed too late.');
    // Each is either in the index as a whole or waits for it.
    assert.equal(await total('search_texts'), count - left);
    assert.equal(await total('search_queue JOIN search_texts USING (position)'), 0);
    program = await start();
    await find();
    await untilIndexed();
    await find();
    assert.equal(await total('search_texts'), count);
  });

  it('finds what a process of that version ends, before and after it is in the index', async () => {
    await untilIndexed();
    for (const statement of endedExecutions(count, 1)) await older.unsafe(statement);
    const search = () => idsOf(serviceOf(program, key), { q: `inv-${count + 1}` });
    assert.deepEqual(await search(), [`exec_${count + 1}`]);
    await untilIndexed();
    assert.deepEqual(await search(), [`exec_${count + 1}`]);
    await older`DELETE FROM executions WHERE id = ${`exec_${count + 1}`}`;
    assert.deepEqual(await search(), []);
    assert.equal(await total('search_texts'), count);
  });
});

/** Newest first. */
const all = Array.from({ length: count }, (_, at) => count - at);

function ofWorkflow(number: number): readonly string[] {
  return all.filter((each) => each % 50 === number).map((each) => `exec_${each}`);
}
