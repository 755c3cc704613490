// A service on PostgreSQL as a team runs it: real processes on a real database.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PostgresServer } from '../../support/postgres.ts';
import { type JsonObject, parseJson } from '../../../src/base/json.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { listAt, textAt } from '../calls.ts';
import { createKey, runProgram, startTeamService, startWorker } from '../process/program.ts';

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

  it('reports that it is not ready while the database is away, once in its log, and recovers by itself', async () => {
    const service = await startTeamService(address);
    const health = new URL('/health', service.baseUrl);
    const statusBecomes = async (status: number): Promise<JsonObject> => {
      for (;;) {
        const answer = await fetch(health);
        const body = (await answer.json()) as JsonObject;
        if (answer.status === status) return body;
        await nextTurn();
      }
    };
    const well = { status: 'ok', live: true, ready: true };
    assert.deepEqual(await statusBecomes(200), well);
    await server.stop();
    assert.deepEqual(await statusBecomes(503), {
      status: 'degraded',
      live: true,
      ready: false,
      reason: 'The database does not respond.',
    });
    await server.resume();
    assert.deepEqual(await statusBecomes(200), well);
    while (!service.errors().includes('responds again')) await nextTurn();
    await service.terminate();
    assert.equal(service.child.exitCode, 0, service.errors());
    const said = service.errors().trim().split('\n').map(parseJson);
    const [away, back] = said.map((line) => textAt(line, 'message'));
    assert.match(away ?? '', /The database 127\.0\.0\.1:\d+\/team does not respond\./);
    assert.match(back ?? '', /^The database 127\.0\.0\.1:\d+\/team responds again\.$/);
    assert.deepEqual(
      said.map((line) => textAt(line, 'level')),
      ['error', 'info', 'info', 'info'],
      service.errors(),
    );
  });

  it('never shows a password', async () => {
    const password = 'Pa"ss-word/7';
    const withPassword = `postgres://someone:${encodeURIComponent(password)}@127.0.0.1:1/team`;
    const commands = [
      ['serve', '--database-url', withPassword, '--port', '0'],
      ['serve', '--database-url', withPassword, '--data', 'x'],
      ['serve', '--database-url', withPassword.replace('postgres', 'postgers')],
      ['serve', `--database-url=postgres://someone:${password}@127.0.0.1:1`],
      ['serve', withPassword],
      ['worker', '--database-url', withPassword],
      ['worker', withPassword, '--port'],
      ['migrate', '--database-url', withPassword],
      ['keys', 'list', '--database-url', withPassword],
      [withPassword, 'serve'],
    ];
    for (const words of commands) {
      const { code, stdout, stderr } = await runProgram(...words);
      assert.notEqual(code, 0);
      assert.notEqual(stderr, '');
      for (const secret of [password, encodeURIComponent(password), JSON.stringify(password).slice(1, -1)])
        assert.ok(!`${stdout}${stderr}`.includes(secret), `${words.join(' ')}: ${stdout}${stderr}`);
    }
  });

  it('reports clearly why it cannot start', async () => {
    const { code, stderr } = await runProgram(
      'serve',
      '--database-url',
      address.url.replace('/team', '/none'),
    );
    assert.equal(code, 1);
    const line = parseJson(stderr);
    assert.equal(textAt(line, 'level'), 'error');
    assert.equal(textAt(line, 'message'), 'database "none" does not exist');
  });
});
