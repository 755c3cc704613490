// Any process takes a request, any worker carries out an execution, and what a dying process had begun is gone on with elsewhere.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { call, chain, createDeployed, execute, follow, openStream, readEvents, runToEnd } from '../calls.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { CountingServer, readLog, Team } from './team.ts';

const calls = ['first', 'second', 'third'];

describe('A service of three API processes and four workers', () => {
  let team: Team;
  const server = new CountingServer();
  let definition: JsonObject;

  before(async () => {
    const base = await server.start();
    team = await Team.start(3, 4, { hasServer: true });
    definition = chain(
      ['start', 'trigger'],
      ...calls.map((id): [string, string, JsonObject] => [
        id,
        'httpRequest',
        { url: `${base}/{{ input.name }}/${id}` },
      ]),
      ['answer', 'output', { expression: 'input.name' }],
    );
  });
  after(async () => {
    server.close();
    await team.dispose();
  });
  afterEach(() => server.release());

  /** The times that the execution's nodes asked, in their order. */
  const countsOf = (name: string) => calls.map((id) => server.counts.get(`/${name}/${id}`) ?? 0);

  it('accepts, runs and reports an execution in different processes', async () => {
    const { executionId, result, rows } = await runToEnd(team.service(0), definition, { name: 'plain' });
    assert.equal(result['output'], 'plain');
    for (const index of [1, 2]) assert.deepEqual(await readLog(team.service(index), executionId), rows);
    assert.deepEqual(countsOf('plain'), [1, 1, 1]);
  });

  it('resumes a stream on another process when its own is killed', async () => {
    const extra = await team.addService();
    const workflowId = await createDeployed(team.service(0), definition);
    server.hold((path) => path === '/stream/second');
    const executionId = await execute(team.service(0), workflowId, { name: 'stream' });
    const path = `/v1/executions/${executionId}/logs`;
    const sequences: string[] = [];
    const reader = readEvents(await openStream(team.service(extra), path));
    await server.untilHeld(1);
    for await (const { id, data } of reader) {
      if (id !== null) sequences.push(id);
      if (data['nodeId'] === 'second') break;
    }
    await team.program(extra).kill();
    server.release();
    const resumed = await openStream(team.service(1), path, { 'Last-Event-ID': sequences.at(-1) ?? '' });
    for await (const { id } of readEvents(resumed)) if (id !== null) sequences.push(id);
    assert.deepEqual(
      sequences,
      (await readLog(team.service(2), executionId)).map((row) => JSON.stringify(row['sequence'])),
    );
  });

  it('hands over the nodes of a worker that is asked to end', async () => {
    const workflowId = await createDeployed(team.service(0), definition);
    server.hold((path) => path === '/drained/second');
    const executionId = await execute(team.service(0), workflowId, { name: 'drained' });
    await server.untilHeld(1);
    const all = team.workers.splice(0);
    const ended = Promise.all(all.map((worker) => worker.terminate()));
    // Each of them lets its nodes end before it ends itself.
    server.release();
    await Promise.all(all.map(() => team.addWorker()));
    await ended;
    assert.deepEqual(new Set(all.map(({ child }) => child.exitCode)), new Set([0]));
    const rows = await follow(team.service(1), executionId);
    assert.deepEqual(new Set(rows.map((row) => row['attempt'])), new Set([1]), 'no node was interrupted');
    assert.deepEqual(countsOf('drained'), [1, 1, 1]);
  });

  it('recovers by itself after the database was away, and reports it meanwhile', async () => {
    const workflowId = await createDeployed(team.service(0), definition);
    server.hold((path) => path.startsWith('/away') && path.endsWith('/second'));
    const names = Array.from({ length: 8 }, (_, index) => `away${index}`);
    const ids = await Promise.all(names.map((name) => execute(team.service(0), workflowId, { name })));
    await server.untilHeld(names.length);
    await team.server.stop('SIGQUIT');
    server.release();
    const health = () => call(team.service(1), 'GET', '/health');
    assert.deepEqual((await until(health, ({ status }) => status === 503)).body['live'], true);
    const refused = await call(team.service(2), 'GET', '/v1/workflows');
    assert.equal(refused.status, 503, refused.text);
    await team.server.resume();
    await until(health, ({ status }) => status === 200);
    for (const [index, executionId] of ids.entries()) {
      await follow(team.service(index % 3), executionId);
      const { body } = await call(team.service(0), 'GET', `/v1/executions/${executionId}/output`);
      assert.equal(body['status'], 'completed');
      assert.deepEqual(countsOf(names[index] ?? ''), [1, 1, 1], 'no finished node ran again');
    }
  });

  it('loses, doubles and forgets nothing while workers are killed eight times', async () => {
    const random = createRandom(20_261_122);
    const workflowId = await createDeployed(team.service(0), definition);
    const names = Array.from({ length: 80 }, (_, index) => `killed${index}`);
    const ids: string[] = [];
    for (let kills = 0; kills < 8; kills += 1) {
      const killed = server.untilRequests(1 + Math.floor(random() * 10)).then(async () => {
        const victim = team.workers[Math.floor(random() * team.workers.length)];
        if (victim) await Promise.all([team.killWorker(victim), team.addWorker()]);
      });
      const next = names.slice(ids.length, ids.length + 10);
      ids.push(
        ...(await Promise.all(
          next.map((name, index) => execute(team.service(index % 3), workflowId, { name })),
        )),
      );
      await killed;
    }
    for (const [index, executionId] of ids.entries()) {
      const rows = await follow(team.service(index % 3), executionId);
      assert.deepEqual(
        rows.map((row) => row['sequence']),
        rows.map((_, place) => place + 1),
        'the log has no gap',
      );
      const { body } = await call(team.service(0), 'GET', `/v1/executions/${executionId}/output`);
      assert.deepEqual([body['status'], body['output'], body['error']], ['completed', names[index], null]);
      assertOnce(rows, countsOf(names[index] ?? ''));
    }
  });

  /** Each node ended once, and asked once for each attempt, or not even that where the worker was killed before. */
  function assertOnce(rows: readonly JsonObject[], counts: readonly number[]): void {
    for (const [index, id] of calls.entries()) {
      const own = rows.filter((row) => row['nodeId'] === id);
      assert.equal(own.filter((row) => row['status'] === 'completed').length, 1);
      const attempts = own.filter((row) => row['message'] === 'node started').length;
      const count = counts[index] ?? 0;
      assert.ok(count >= 1 && count <= attempts, `${id}: ${count} requests, ${attempts} attempts`);
    }
  }
});

/** Repeats the request until the response fits. */
async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
  }
}
