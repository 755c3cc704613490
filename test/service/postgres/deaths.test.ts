// One execution crashes each worker that runs it: it's found and ended, and what ran beside it completes.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { systemClock, wait } from '../../../src/base/time.ts';
import { storeSchema } from '../../../src/service/store/postgres/pool.ts';
import { at, call, chain, createDeployed, execute, listAt } from '../calls.ts';
import { Team } from './team.ts';

describe('An execution that kills workers', () => {
  let team: Team;
  let sql: postgres.Sql;
  let base = '';
  let isHeld = true;
  let onPoison: (() => void) | undefined;
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    heard.push(path);
    if (path === '/poison') onPoison?.();
    else if (!isHeld) response.end('ok');
  });

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    team = await Team.start(1, 1);
    sql = postgres(team.address.url);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await sql.end();
    await team.dispose();
  });

  const untilTrue = async (isTrue: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + 60_000;
    while (!(await isTrue())) {
      assert.ok(performance.now() < deadline, 'It took more than a minute.');
      await wait(systemClock, 200);
    }
  };

  it('is ended after a few crashes, and no other execution is', async () => {
    const definition = chain(['start', 'trigger'], ['call', 'httpRequest', { url: '{{ input.url }}' }]);
    const workflowId = await createDeployed(team.service(0), definition);
    const ids: string[] = [];
    for (let index = 0; index < 40; index += 1)
      ids.push(
        await execute(team.service(0), workflowId, { url: `${base}/${index === 20 ? 'poison' : index}` }),
      );
    await untilTrue(() => Promise.resolve(heard.length >= 10));
    isHeld = false;
    const statuses = async () => {
      const { body } = await call(team.service(0), 'GET', '/v1/executions?limit=100');
      return new Map(
        listAt(body, 'data').map((row) => [row['id'], [row['status'], at(row, 'error', 'code') ?? null]]),
      );
    };
    let deaths = 0;
    for (let isEnded = false; !isEnded;) {
      const poisoned = new Promise<'dead'>((resolve) => (onPoison = () => resolve('dead')));
      for (const worker of [...team.workers]) await team.killWorker(worker);
      deaths += 1;
      // The leases of the dead worker end at once, for which others would wait half a minute.
      await sql.unsafe(`UPDATE ${storeSchema}.executions SET available_at = 0 WHERE worker_id IS NOT NULL`);
      await team.addWorker();
      const ended = untilTrue(async () =>
        [...(await statuses()).values()].every(([status]) => status === 'completed' || status === 'failed'),
      );
      isEnded = (await Promise.race([poisoned, ended])) !== 'dead';
      if (!isEnded) ended.catch(() => undefined);
    }
    assert.ok(deaths <= 6, `${deaths} deaths`);
    const found = await statuses();
    assert.deepEqual(
      ids.map((id) => found.get(id)),
      ids.map((_id, index) => (index === 20 ? ['failed', 'interrupted_repeatedly'] : ['completed', null])),
    );
  });
});
