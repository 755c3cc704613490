// What the operator of a team's service sees of it: its metrics, and its log.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import { parseJson } from '../../../src/base/json.ts';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { PostgresStore } from '../../../src/service/store/postgres/postgresStore.ts';
import { migrate } from '../../../src/service/store/postgres/schema.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { call, chain, createDeployed, execute, follow, openStream, type Service, textAt } from '../calls.ts';
import {
  lineOf,
  type Program,
  type RunningProcess,
  startTeamService,
  startWorker,
  type WorkerProcess,
} from '../process/program.ts';
import { scrape, scrapeUntil } from './scrape.ts';

const prefix = 'workflow_automation_';
const limit = 40;

describe('Whoever operates a service on PostgreSQL', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;
  let own: postgres.Sql;
  const running: RunningProcess[] = [];
  let api: Program;
  let worker: WorkerProcess;
  let service: Service;
  /** Of a key that has asked nothing yet. */
  let other: Service;
  let keyId = '';
  const workerOrigin = (): string => `http://127.0.0.1:${worker.port}`;

  before(async () => {
    server = await PostgresServer.start();
    address = await server.createDatabase('operation');
    await migrate(address);
    own = postgres(address.url, { max: 1, onnotice: () => undefined });
    const store = new PostgresStore({ address });
    const [first, second] = [
      await store.keys.create('one', 'never'),
      await store.keys.create('two', 'never'),
    ];
    await store.close();
    api = await startTeamService(address, '--no-worker', '--metrics', '--requests-per-minute', String(limit));
    running.push(api);
    const { origin } = new URL(api.baseUrl);
    const app = { request: (path: string, init?: RequestInit) => fetch(origin + path, init) };
    service = { key: first.key, app };
    other = { key: second.key, app };
    keyId = first.id;
  });
  after(async () => {
    await Promise.all(running.map((each) => each.kill()));
    await own.end();
    await server.dispose();
  });

  it('sees the queue grow, and a worker take it', async () => {
    const quick = await createDeployed(
      service,
      chain(
        ['start', 'trigger'],
        ['sum', 'transform', { expression: 'input.a + 1' }],
        ['end', 'output', { expression: '1' }],
      ),
    );
    const slow = await createDeployed(
      service,
      chain(
        ['start', 'trigger'],
        ['rest', 'delay', { milliseconds: 3_600_000 }],
        ['end', 'output', { expression: '1' }],
      ),
    );
    const long = await createDeployed(service, {
      ...chain(
        ['start', 'trigger'],
        ['all', 'forEach', { items: '[1, 2, 3]' }],
        ['say', 'log', { message: '' }],
      ),
      edges: [
        { source: 'start', target: 'all' },
        { source: 'all', target: 'say', branch: 'each' },
      ],
    });
    const before = await scrape(api.baseUrl);
    assert.equal(before.get(`${prefix}queue_age_seconds`), 0);
    const executions = [1, 2, 3].map((a) => execute(service, quick, { a }));
    executions.push(
      execute(service, quick, { a: {} }),
      execute(service, long, {}),
      execute(service, slow, {}),
    );
    const ids = await Promise.all(executions);
    const queued = await scrapeUntil(
      api.baseUrl,
      (figures) => figures.get(`${prefix}executions{status="queued"}`) === 6,
    );
    assert.ok((queued.get(`${prefix}queue_age_seconds`) ?? 0) > 0);
    worker = await startWorker(address, '--metrics', '--port', '0', '--max-iterations', '2');
    running.push(worker);
    for (const id of ids.slice(0, 5)) await follow(service, id);
    const worked = await scrapeUntil(
      workerOrigin(),
      (figures) =>
        figures.get(`${prefix}executions{status="waiting"}`) === 1 &&
        figures.get(`${prefix}executions{status="running"}`) === 0 &&
        figures.get(`${prefix}executions_ended_total{status="failed"}`) === 2,
    );
    const expected = {
      'executions{status="queued"}': 0,
      queue_age_seconds: 0,
      'executions_ended_total{status="completed"}': 3,
      'executions_limited_total{limit="iterations"}': 1,
      'executions_limited_total{limit="bytes"}': 0,
      execution_queue_seconds_count: 6,
      'node_run_duration_seconds_count{type="trigger",status="completed"}': 6,
      'node_run_duration_seconds_count{type="transform",status="completed"}': 3,
      'node_run_duration_seconds_count{type="transform",status="failed"}': 1,
      'node_run_duration_seconds_count{type="output",status="completed"}': 3,
      database_up: 1,
      database_connections_maximum: 8,
      database_waiting: 0,
      'expressions_waiting{kind="expression"}': 0,
      'expressions_waiting{kind="check"}': 0,
      expressions_refused_total: 0,
    };
    for (const [name, value] of Object.entries(expected))
      assert.equal(worked.get(prefix + name), value, name);
    const [stored] = await own`SELECT count(*)::int AS count, sum(octet_length(data))::int AS bytes
      FROM workflow_automation.portal_events`;
    const events = await scrapeUntil(
      workerOrigin(),
      (figures) => figures.get(`${prefix}portal_events`) === stored?.['count'],
    );
    assert.equal(events.get(`${prefix}portal_event_bytes`), stored?.['bytes']);
    await scrapeUntil(workerOrigin(), (figures) => figures.get(`${prefix}search_waiting`) === 0);
    for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total'])
      assert.ok((worked.get(name) ?? 0) > 0, name);
    const atApi = await scrape(api.baseUrl);
    assert.equal(atApi.get(`${prefix}executions_ended_total{status="completed"}`), 0, 'it has no worker');
    assert.equal(
      atApi.get(
        `${prefix}http_requests_total{method="POST",route="/v1/workflows/:workflowId/execute",status="2xx"}`,
      ),
      6,
    );
  });

  it('sees refusals, unknown endpoints, and open streams', async () => {
    const statuses = await Promise.all(
      Array.from({ length: limit + 2 }, async () => (await call(other, 'GET', '/v1/executions')).status),
    );
    assert.equal(statuses.filter((status) => status === 429).length, 2);
    const { app } = service;
    for (const path of ['/v1/none', '/other', '/v1/executions/a']) await (await app.request(path)).text();
    const waiting = textAt(
      (await call(service, 'GET', '/v1/executions?status=waiting')).body,
      'data',
      0,
      'id',
    );
    const stream = await openStream(service, `/v1/executions/${waiting}/logs`);
    const figures = await scrape(api.baseUrl);
    const counts = {
      'http_requests_total{method="GET",route="/v1/executions",status="4xx"}': 2,
      'http_requests_limited_total{code="rate_limited"}': 2,
      'http_requests_total{method="GET",route="none",status="4xx"}': 2,
      'http_requests_total{method="GET",route="/v1/executions/:executionId",status="4xx"}': 1,
      open_streams: 1,
      open_answers: 0,
      answers_stalled_total: 0,
    };
    for (const [name, value] of Object.entries(counts)) assert.equal(figures.get(prefix + name), value, name);
    await stream.body?.cancel();
    await scrapeUntil(api.baseUrl, (each) => each.get(`${prefix}open_streams`) === 0);
    const line = await lineOf(
      api,
      ({ path, message }) =>
        path === `/v1/executions/${waiting}/logs` && message === `GET ${path} was streamed to its end.`,
    );
    assert.deepEqual([line['status'], line['keyId']], [200, keyId]);
  });

  it('can query the health of a worker, and nothing else', async () => {
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await fetch(workerOrigin() + path, init);
      return [answer.status, parseJson(await answer.text())] as const;
    };
    assert.deepEqual(await ask('/health'), [200, { status: 'ok', live: true, ready: true }]);
    for (const path of ['/v1/workflows', '/openapi.json', '/']) assert.equal((await ask(path))[0], 404);
    assert.equal((await ask('/metrics', { method: 'POST' }))[0], 405);
    assert.equal((await ask('/metrics', { headers: { Origin: 'http://a.example' } }))[0], 403);
  });

  it('finds each request in the log by its id, without its query, its key or what probes ask', async () => {
    const headers = { 'X-Request-Id': 'from-the.proxy_1' };
    const answer = await call(service, 'GET', '/v1/workflows?search=secret', undefined, headers);
    assert.equal(answer.headers.get('X-Request-Id'), 'from-the.proxy_1');
    const { time, durationMs, ...line } = await lineOf(
      api,
      ({ requestId }) => requestId === 'from-the.proxy_1',
    );
    assert.ok(Number.isInteger(durationMs) && typeof time === 'string' && !Number.isNaN(Date.parse(time)));
    assert.deepEqual(line, {
      level: 'info',
      message: 'GET /v1/workflows was answered with 200.',
      requestId: 'from-the.proxy_1',
      method: 'GET',
      path: '/v1/workflows',
      status: 200,
      keyId,
    });
    for (const given of ['a b', 'a'.repeat(65), '{}']) {
      const named = await call(service, 'GET', '/v1/workflows', undefined, { 'X-Request-Id': given });
      assert.match(named.headers.get('X-Request-Id') ?? '', /^req_[0-9a-f]{24}$/);
    }
    const refused = await fetch(`${api.baseUrl}/workflows`, { headers: { 'X-Request-Id': 'no-key' } });
    assert.equal(refused.status, 401);
    assert.equal((await lineOf(api, ({ requestId }) => requestId === 'no-key'))['keyId'], undefined);
    await call(service, 'GET', '/health');
    await createDeployed(service, { ...chain(['start', 'trigger']), name: 'A word of a body' });
    assert.doesNotMatch(api.errors(), /search=|A word of a body|GET \/health|GET \/metrics/);
    for (const { key } of [service, other]) assert.ok(!api.errors().includes(key));
  });

  it('finds the request and the execution that an error is about', async () => {
    const workflowId = await createDeployed(
      service,
      chain(['start', 'trigger'], ['end', 'output', { expression: '1' }]),
    );
    await own`ALTER TABLE workflow_automation.node_runs RENAME TO away`;
    const id = await execute(service, workflowId, {});
    const about = await lineOf(worker, ({ level, executionId }) => level === 'error' && executionId === id);
    assert.match(textAt(about, 'reason'), /"node_runs" does not exist/);
    await own`ALTER TABLE workflow_automation.away RENAME TO node_runs`;
    await follow(service, id);
    await own`ALTER TABLE workflow_automation.workflows RENAME TO away`;
    const failed = await call(service, 'GET', '/v1/workflows', undefined, { 'X-Request-Id': 'failed' });
    assert.equal(failed.status, 500);
    await own`ALTER TABLE workflow_automation.away RENAME TO workflows`;
    const line = await lineOf(api, ({ level, requestId }) => level === 'error' && requestId === 'failed');
    assert.match(textAt(line, 'reason'), /"workflows" does not exist/);
  });

  it('sees that the database is away, and the figures of the processes', async () => {
    await server.stop();
    for (const origin of [api.baseUrl, workerOrigin()]) {
      const figures = await scrapeUntil(origin, (each) => each.get(`${prefix}database_up`) === 0);
      assert.ok(!figures.has(`${prefix}queue_age_seconds`));
      assert.ok(figures.has('process_cpu_seconds_total'));
    }
    await server.resume();
    for (const origin of [api.baseUrl, workerOrigin()])
      await scrapeUntil(origin, (each) => each.get(`${prefix}database_up`) === 1);
  });
});
