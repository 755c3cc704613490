// The database goes away again and again while everything is open: no process ends, no stream loses a row, every execution completes.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  call,
  chain,
  createDeployed,
  openStream,
  readEvents,
  type Service,
  textAt,
  toCompleteResponse,
} from '../calls.ts';
import { CountingServer, readLog, Team } from './team.ts';

const stops = ['SIGINT', 'SIGQUIT', 'SIGINT'] as const;
/** How many clients each process of the API has, each with an execution, its stream and its requests. */
const clients = 4;
/** The possible responses to a request while the database is away. */
const away = new Set([429, 503]);

describe('A team whose database is stopped and started three times', () => {
  let team: Team;
  const server = new CountingServer();
  let workflowId = '';
  let isOver = false;
  const indexes = [0, 1, 2];

  before(async () => {
    const base = await server.start();
    team = await Team.start(2, 2, { hasServer: true });
    // One process does both, and its log is one that nobody reads any more.
    const both = await team.addService('--metrics');
    team.program(both).child.stderr?.destroy();
    workflowId = await createDeployed(
      team.service(0),
      chain(
        ['start', 'trigger'],
        ['first', 'httpRequest', { url: `${base}/{{ input.name }}/first` }],
        ['told', 'portalEvent', { type: 'told', data: { name: '{{ input.name }}' } }],
        ['second', 'httpRequest', { url: `${base}/{{ input.name }}/second` }],
        ['answer', 'output', { expression: 'input.name' }],
      ),
    );
  });
  after(async () => {
    server.close();
    await team.dispose();
  });

  it('recovers with open streams, requests and executions, and loses nothing', async () => {
    const { body } = await call(team.service(0), 'GET', '/v1/portal/events?limit=1');
    const path = `/v1/portal/events?after=${textAt(body, 'data', 0, 'id')}`;
    const events = indexes.map((index) => readThrough(team.service(index), path));
    const work = indexes.flatMap((index) =>
      Array.from({ length: clients }, (_, number) => beClient(team.service(index), `c${index}-${number}`)),
    );
    const done = Promise.all(work);
    for (const stop of stops) {
      server.hold((path) => path.endsWith('/second'));
      await Promise.race([server.untilHeld(clients), done]);
      await team.server.stop(stop);
      for (const index of indexes) await untilHealth(index, 503);
      server.release();
      assertAlive();
      await team.server.resume();
      for (const index of indexes) await untilHealth(index, 200);
      await Promise.race([server.untilRequests(2 * work.length), done]);
      assertAlive();
    }
    isOver = true;
    const names = (await done).flat();
    assert.ok(names.length >= work.length * stops.length, `${names.length} executions`);
    // Ends the streams of events, which have seen all of them before.
    await untilAnswered(team.service(0), 'POST', '/v1/portal/events', { type: 'portal.end' });
    for (const rows of await Promise.all(events)) {
      const ids = rows.map((row) => row.id);
      assert.equal(new Set(ids).size, ids.length, 'no event comes twice');
      const told = rows
        .filter(({ event }) => event === 'portal.told')
        .map(({ data }) => textAt(data, 'data', 'name'));
      assert.deepEqual(told.sort(), [...names].sort());
    }
    assertAlive();
    for (const process of team.processes) assert.doesNotMatch(process.errors(), /an unexpected error/);
  });

  /** Executes, follows, and asks for the output, again and again; returns the names of its executions. */
  async function beClient(service: Service, client: string): Promise<string[]> {
    const names: string[] = [];
    while (!isOver) {
      const name = `${client}-${names.length}`;
      names.push(name);
      const body = { input: { name } };
      const accepted = await untilAnswered(
        service,
        'POST',
        `/v1/workflows/${workflowId}/execute`,
        body,
        name,
      );
      const executionId = textAt(accepted, 'executionIds', 0);
      const path = `/v1/executions/${executionId}`;
      const rows = await readThrough(service, `${path}/logs`);
      const log = await untilRead(() => readLog(service, executionId));
      assert.deepEqual(
        rows.filter(({ event }) => event !== 'end').map(({ data }) => data),
        log,
      );
      const output = await untilAnswered(service, 'GET', `${path}/output`);
      assert.deepEqual(
        { status: output['status'], output: output['output'], error: output['error'] },
        { status: 'completed', output: name, error: null },
      );
      for (const node of ['first', 'second'])
        assert.ok((server.counts.get(`/${name}/${node}`) ?? 0) >= 1, `${name} ${node}`);
    }
    return names;
  }

  /** Asks again while the database is away; an execution is the same one each time. */
  async function untilAnswered(
    service: Service,
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<JsonObject> {
    for (;;) {
      const headers = key === undefined ? {} : { 'Idempotency-Key': key };
      const answer = await call(service, method, path, body, headers);
      if (answer.status < 300) return answer.body;
      assert.ok(away.has(answer.status), `${method} ${path}: ${answer.text}`);
      await nextTurn();
    }
  }

  async function untilHealth(index: number, status: number): Promise<void> {
    while ((await call(team.service(index), 'GET', '/health')).status !== status) await nextTurn();
  }

  function assertAlive(): void {
    for (const process of team.processes) {
      const { exitCode, signalCode } = process.child;
      assert.deepEqual([exitCode, signalCode], [null, null], process.errors().slice(-2000));
    }
  }
});

/** Reads a list that can't be read at times. */
async function untilRead(read: () => Promise<readonly JsonObject[]>): Promise<readonly JsonObject[]> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      assert.match(String(error), /data is no list/);
      await nextTurn();
    }
}

interface StreamRow {
  readonly event: string;
  readonly id: string | null;
  readonly data: JsonObject;
}

/**
 * Reads a stream as clients do, which go on behind the last row on a new connection, until a row that ends it. A connection can be lost
 * before that row has come; the next one is then answered with 204.
 */
async function readThrough(service: Service, path: string): Promise<StreamRow[]> {
  const rows: StreamRow[] = [];
  for (;;) {
    const last = rows.at(-1)?.id ?? undefined;
    const stream = await openStream(service, path, last === undefined ? {} : { 'Last-Event-ID': last });
    if (stream.status === 204) return rows;
    if (stream.status === 200)
      try {
        for await (const row of readEvents(stream)) {
          rows.push(row);
          if (row.event === 'end' || row.event === 'portal.end') return rows;
        }
      } catch (error) {
        assert.match(String(error), /terminated/);
      }
    else {
      const answer = await toCompleteResponse(stream);
      assert.ok(away.has(answer.status), `${path}: ${answer.status} ${answer.text}`);
    }
    await nextTurn();
  }
}
