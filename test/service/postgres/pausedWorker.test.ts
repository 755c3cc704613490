// A worker that stood still for longer than its lease, such as on a machine that slept, has lost what it had: it must notice before it
// does anything more.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import type { JsonObject } from '../../../src/base/json.ts';
import { call, chain, createDeployed, execute, follow } from '../calls.ts';
import type { RunningProcess } from '../process/program.ts';
import { CountingServer, Team } from './team.ts';

const calls = ['first', 'second', 'third'];

describe('A worker that is paused past its lease', () => {
  const server = new CountingServer();
  let team: Team;
  let own: postgres.Sql;
  let paused: RunningProcess | undefined;
  let definition: JsonObject;

  before(async () => {
    const base = await server.start();
    team = await Team.start(1, 0);
    own = postgres(team.address.url, { max: 1, onnotice: () => undefined });
    definition = chain(
      ['start', 'trigger'],
      ...calls.map((id): [string, string, JsonObject] => [
        id,
        'httpRequest',
        { url: `${base}/{{ input.name }}/${id}` },
      ]),
    );
  });
  after(async () => {
    paused?.child.kill('SIGCONT');
    server.close();
    await own.end();
    await team.dispose();
  });

  const countsOf = (name: string) => calls.map((id) => server.counts.get(`/${name}/${id}`) ?? 0);

  it('makes no call once another worker has taken over, and continues with other executions', async () => {
    const service = team.service(0);
    const workflowId = await createDeployed(service, definition);
    const worker = await team.addWorker();
    paused = worker;
    server.hold((path) => path === '/paused/second');
    const executionId = await execute(service, workflowId, { name: 'paused' });
    await server.untilHeld(1);
    worker.child.kill('SIGSTOP');
    const other = await team.addWorker();
    // What time would do in 28 seconds.
    await own`UPDATE workflow_automation.executions SET available_at = 0 WHERE worker_id IS NOT NULL`;
    await server.untilHeld(2);
    server.release();
    const rows = await follow(service, executionId);
    assert.deepEqual(countsOf('paused'), [1, 2, 1], 'the call under way is made again, as its row says');
    const second = rows.filter((row) => row['nodeId'] === 'second' && row['status'] === 'completed');
    assert.deepEqual(
      second.map((row) => row['attempt']),
      [2],
    );
    worker.child.kill('SIGCONT');
    while (!worker.errors().includes(`Another run has taken the execution ${executionId}.`)) await nextTurn();
    await team.killWorker(other);
    const next = await execute(service, workflowId, { name: 'next' });
    await follow(service, next);
    assert.deepEqual(countsOf('next'), [1, 1, 1], 'the paused worker is the only one');
    assert.deepEqual(countsOf('paused'), [1, 2, 1]);
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/logs?limit=100`);
    assert.deepEqual(body['data'], rows);
  });
});
