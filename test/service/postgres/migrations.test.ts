// The first process to start creates the tables, and a version that doesn't know them refuses them.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { checkTables, migrate } from '../../../src/service/store/postgres/schema.ts';
import { NewerDataError, TablesError } from '../../../src/service/store/storageError.ts';
import { createDatabase, createEmptyDatabase } from '../../support/storage.ts';
import { createKey, runProgram } from '../process/program.ts';

describe('The tables of a service on PostgreSQL', () => {
  let address: DatabaseAddress;

  it('are made once, however many processes start at the same time', async () => {
    address = await createEmptyDatabase('first');
    await Promise.all(Array.from({ length: 5 }, () => migrate(address)));
    const store = new PostgresStore({ address });
    const { id } = await store.keys.create('Ada', 'never');
    await migrate(address);
    assert.deepEqual(
      (await store.keys.list()).map((key) => key.id),
      [id],
    );
    await store.close();
  });

  it('are left alone at another start, so that it waits for no writer', async () => {
    address = await createDatabase('busy');
    const writer = postgres(address.url, { max: 1 });
    await writer.begin(async (transaction) => {
      await transaction`LOCK TABLE workflow_automation.executions IN ROW EXCLUSIVE MODE`;
      await migrate(address, 500);
    });
    await writer.end();
  });

  it('are refused with a clear error when a newer version has made them', async () => {
    address = await createDatabase('newer');
    const connection = postgres(address.url, { max: 1 });
    await connection`UPDATE workflow_automation.schema_version SET version = 99`;
    await connection.end();
    await assert.rejects(migrate(address), (error) => {
      assert.ok(error instanceof NewerDataError);
      assert.match(error.message, /^The data in 127\.0\.0\.1:\d+\/newer was written by a newer version/);
      return true;
    });
  });

  describe('while another process changes them', () => {
    let own: postgres.Sql;
    let key = '';
    before(async () => {
      address = await createDatabase('locked');
      key = await createKey(address);
      own = postgres(address.url, { max: 1 });
      await own`SELECT pg_advisory_lock(hashtextextended('workflow_automation/migrations', 0))`;
    });
    after(() => own.end());

    it('are waited for until a time limit, with a clear error', async () => {
      await assert.rejects(migrate(address, 200), (error) => {
        assert.ok(error instanceof TablesError);
        assert.match(
          error.message,
          /^Another process has been changing the tables of the database .*\/locked for more/,
        );
        return true;
      });
    });

    it('let keys be made, listed and revoked at once', async () => {
      const store = new PostgresStore({ address });
      const record = await store.keys.find(key);
      await store.close();
      assert.ok(record);
      const begin = performance.now();
      for (const words of [['list'], ['revoke', '--id', record.id]]) {
        const { code, stderr } = await runProgram('keys', ...words, '--database-url', address.url);
        assert.deepEqual([code, stderr], [0, '']);
      }
      assert.ok((await createKey(address)) !== key);
      assert.ok(performance.now() - begin < 15_000);
    });
  });

  it('are listed within a time limit, with a clear error, if others lock them', async () => {
    address = await createDatabase('held');
    const own = postgres(address.url, { max: 1 });
    await own.begin(async (transaction) => {
      await transaction`LOCK TABLE workflow_automation.schema_version`;
      await assert.rejects(checkTables(address, 200), (error) => {
        assert.ok(error instanceof TablesError);
        assert.match(
          error.message,
          /\/held didn't list its tables within 0\.2 s\. Check for sessions that lock them/,
        );
        return true;
      });
    });
    await checkTables(address);
    await own.end();
  });

  it('are not made by a command about keys, which reports that they are missing', async () => {
    address = await createEmptyDatabase('empty');
    const { code, stdout, stderr } = await runProgram('keys', 'list', '--database-url', address.url);
    assert.deepEqual(
      [code, stdout, stderr],
      [1, '', `The database ${address.name} has no tables of the service. Run "migrate" first.\n`],
    );
    const connection = postgres(address.url, { max: 1 });
    const schemas = await connection`SELECT 1 FROM pg_namespace WHERE nspname = 'workflow_automation'`;
    await connection.end();
    assert.equal(schemas.length, 0);
  });
});
