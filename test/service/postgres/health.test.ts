// What health reports about a database that takes no writes, or is damaged, is what requests meet; reads still work where they can.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { createDatabase } from '../../support/storage.ts';
import { type Answer, assertRefused, call, listAt, type Service, textAt } from '../calls.ts';
import { createKey, type Program, serviceOf, startTeamService } from '../process/program.ts';

const well = { status: 'ok', live: true, ready: true };

describe('The health of a service on PostgreSQL', function () {
  this.timeout(60_000);
  let address: DatabaseAddress;
  let own: postgres.Sql;
  let program: Program;
  let service: Service;
  before(async () => {
    address = await createDatabase('health');
    own = postgres(address.url, {
      max: 1,
      onnotice: () => undefined,
      connection: { search_path: 'workflow_automation' },
    });
    const key = await createKey(address);
    program = await startTeamService(address);
    service = serviceOf(program, key);
  });
  after(async () => {
    await program.kill();
    await own.end();
  });

  const askHealth = async () => {
    const { status, body } = await call(service, 'GET', '/health');
    return [status, body] as const;
  };
  const create = () => call(service, 'POST', '/v1/workflows', { name: 'Billing' });
  const readsAnswer = async () => {
    for (const path of ['/v1/workflows', '/v1/executions', '/v1/portal/events'])
      assert.equal((await call(service, 'GET', path)).status, 200, path);
  };
  /** Asks again while the connections are lost. */
  const unlessAway = async (ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await ask();
      if (answer.status !== 503) return answer;
      await nextTurn();
    }
  };
  const changeAll = async (change: string) => {
    await own`SET default_transaction_read_only = off`;
    await own.unsafe(`ALTER DATABASE health ${change}`);
    await own`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = 'health' AND pid <> pg_backend_pid()`;
  };
  const engineLooksForWork = async () => {
    const [began] = await own`SELECT now() AS at`;
    for (;;) {
      const [look] =
        await own`SELECT max(query_start) > ${String(began?.['at'])} AS is_new FROM pg_stat_activity
        WHERE datname = 'health' AND query LIKE '%RECURSIVE queues%' AND state = 'idle' AND pid <> pg_backend_pid()`;
      if (look?.['is_new'] === true) return;
      await nextTurn();
    }
  };
  const failing = (code: string) => `
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'It fails.' USING ERRCODE = '${code}'; END $$`;

  it('reports a read-only database; reads are served, writes refused with a clear error', async () => {
    while ((await askHealth())[0] !== 200) await nextTurn();
    assert.deepEqual(await askHealth(), [200, well]);
    assert.equal((await create()).status, 201);
    await changeAll('SET default_transaction_read_only = on');
    const refused = await unlessAway(create);
    assertRefused(refused, 507, 'storage_read_only');
    assert.match(
      textAt(refused.body, 'error', 'message'),
      /^The database 127\.0\.0\.1:\d+\/health is read-only\. /,
    );
    const { headers } = await unlessAway(() => call(service, 'GET', '/v1/workflows'));
    assert.ok(Number(headers.get('X-RateLimit-Remaining')) > 0, 'requests are counted all the same');
    const degraded = { ...well, status: 'degraded', reason: 'The data is read-only.' };
    for (let count = 0; count < 3; count += 1) {
      await readsAnswer();
      assert.deepEqual(await askHealth(), [200, degraded]);
    }
    await changeAll('RESET default_transaction_read_only');
    assert.equal((await unlessAway(create)).status, 201);
    assert.deepEqual(await askHealth(), [200, well]);
  });

  it('notices a read-only database without a write', async () => {
    const becomes = async (status: string) => {
      while ((await askHealth())[1]['status'] !== status) await nextTurn();
    };
    await changeAll('SET default_transaction_read_only = on');
    while ((await askHealth())[1]['reason'] !== 'The data is read-only.') await nextTurn();
    await changeAll('RESET default_transaction_read_only');
    await becomes('ok');
  });

  it('reports a full disk until something new is stored', async () => {
    await own.unsafe(failing('53100'));
    await own.unsafe('CREATE TRIGGER fails BEFORE INSERT ON workflows EXECUTE FUNCTION fail()');
    await own.unsafe('CREATE TRIGGER fails BEFORE INSERT ON requests EXECUTE FUNCTION fail()');
    const reason = 'The disk is full: nothing new can be stored.';
    for (let count = 0; count < 3; count += 1) {
      assertRefused(await unlessAway(create), 507, 'storage_full');
      await readsAnswer();
      assert.deepEqual(await askHealth(), [200, { ...well, status: 'degraded', reason }]);
    }
    await own.unsafe('DROP FUNCTION fail CASCADE');
    await readsAnswer();
    assert.equal((await askHealth())[1]['status'], 'degraded', 'no read tells that there is room');
    assert.equal((await create()).status, 201);
    assert.deepEqual(await askHealth(), [200, well]);
  });

  it('reports damaged data until something can be read', async () => {
    await own.unsafe(`
      ALTER TABLE workflows RENAME TO kept;
      CREATE FUNCTION broken() RETURNS SETOF kept LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$;
      CREATE VIEW workflows AS SELECT * FROM broken()`);
    const answer = await unlessAway(() => call(service, 'GET', '/v1/workflows'));
    assertRefused(answer, 500, 'internal_error');
    assert.match(
      textAt(answer.body, 'error', 'message'),
      /\/health is damaged\. Restore it from a backup\.$/,
    );
    const reason = 'The data is damaged.';
    assert.deepEqual(await askHealth(), [503, { ...well, status: 'degraded', ready: false, reason }]);
    assert.equal((await askHealth())[0], 503, 'its own question changes nothing');
    await engineLooksForWork();
    assert.equal((await askHealth())[0], 503, 'what the engine reads meanwhile changes nothing');
    await own.unsafe('DROP VIEW workflows; DROP FUNCTION broken; ALTER TABLE kept RENAME TO workflows');
    const { body } = await call(service, 'GET', '/v1/workflows');
    assert.ok(listAt(body, 'data').length > 0);
    assert.deepEqual(await askHealth(), [200, well]);
  });
});
