// A service on PostgreSQL as a team runs it: real processes on a real database.
import assert from 'node:assert/strict';
import { PostgresServer } from '../../support/postgres.ts';
import { type JsonObject, parseJson } from '../../../src/base/json.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { listAt, textAt } from '../calls.ts';
import { createKey, runProgram, startTeamService, startWorker } from './program.ts';

describe('A service on PostgreSQL', function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let address: DatabaseAddress;
  before(async () => {
    server = await PostgresServer.start();
    address = await server.createDatabase('team');
  });
  after(() => server.dispose());

  it('migrates an empty database, makes and revokes keys, and ends with 0 on SIGTERM', async () => {
    const migrated = await runProgram('migrate', '--database-url', address.url);
    assert.deepEqual([migrated.code, parseJson(migrated.stdout)], [0, { database: address.name }]);
    const key = await createKey(address);
    const [service, worker] = await Promise.all([
      startTeamService(address, '--no-worker'),
      startWorker(address, '--concurrency', '2'),
    ]);
    const ask = () => fetch(`${service.baseUrl}/workflows`, { headers: { Authorization: `Bearer ${key}` } });
    assert.deepEqual(listAt((await (await ask()).json()) as JsonObject, 'data'), []);
    const listed = parseJson((await runProgram('keys', 'list', '--database-url', address.url)).stdout);
    const id = textAt(listed, 0, 'id');
    assert.equal((await runProgram('keys', 'revoke', '--database-url', address.url, '--id', id)).code, 0);
    assert.equal((await ask()).status, 401);
    assert.equal((await fetch(new URL('/settings/api-keys', service.baseUrl))).status, 404);
    assert.equal((await fetch(new URL('/settings/stop', service.baseUrl))).status, 404);
    await Promise.all([service.terminate(), worker.terminate()]);
    assert.deepEqual([service.child.exitCode, worker.child.exitCode], [0, 0]);
  });
});
