// Processes without the key of the stored secrets leave what uses secrets to those that have it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DatabaseAddress } from '../../../src/service/store/postgres/address.ts';
import { createDatabase } from '../../support/storage.ts';
import { call, chain, createDeployed, execute, follow, textAt } from '../calls.ts';
import {
  createKey,
  runProgramWith,
  type RunningProcess,
  serviceOf,
  startProcess,
} from '../process/program.ts';

const firstKey = { WORKFLOW_SECRETS_KEY: 'the first key, of 32 characters or more' };
const secondKey = { WORKFLOW_SECRETS_KEY: 'the second key, of 32 characters or more' };
const value = 'a value of a secret, to be found nowhere';
const executions = 24;
const start = ['start', 'trigger'] as const;

describe('A team of which some processes lack the key of the stored secrets', () => {
  const echo = createServer((request, response) => response.end(String(request.headers['x-mine'])));
  const processes: RunningProcess[] = [];
  let address: DatabaseAddress;
  let key = '';
  let origin = '';

  before(async () => {
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    address = await createDatabase(`keyless${processes.length}`);
    key = await createKey(address);
    const { code, stderr } = await runProgramWith(
      { stdin: value, environment: firstKey },
      'secrets',
      'set',
      'TOKEN',
      '--database-url',
      address.url,
    );
    assert.equal(code, 0, stderr);
  });
  after(async () => {
    await Promise.all(processes.map((process) => process.kill()));
    echo.closeAllConnections();
    echo.close();
  });

  const startTeam = async (environment: Readonly<Record<string, string>>, ...words: string[]) => {
    const all = [...words, '--database-url', address.url];
    const started = await startProcess(all, [], environment);
    processes.push(started);
    return started;
  };
  const serveTeam = async (environment: Readonly<Record<string, string>>, ...words: string[]) => {
    const { line, ...running } = await startTeam(
      environment,
      'serve',
      ...words,
      '--port',
      '0',
      '--requests-per-minute',
      '10000',
    );
    return serviceOf({ ...running, baseUrl: textAt(line, 'baseUrl') }, key);
  };
  const uses = () =>
    chain(
      start,
      ['ask', 'httpRequest', { url: origin, headers: { 'X-Mine': '{{ secrets.TOKEN }}' } }],
      ['answer', 'output', { expression: 'nodes.ask.body' }],
    );

  it('completes all executions that use a secret, and stores its value nowhere', async () => {
    const service = await serveTeam(firstKey, '--no-worker');
    for (const environment of [secondKey, firstKey, firstKey]) await startTeam(environment, 'worker');
    const workflowId = await createDeployed(service, uses());
    const ids = await Promise.all(Array.from({ length: executions }, () => execute(service, workflowId, {})));
    await Promise.all(ids.map((id) => follow(service, id)));
    const outputs = await Promise.all(
      ids.map(async (id) => (await call(service, 'GET', `/v1/executions/${id}/output`)).body['output']),
    );
    assert.deepEqual(
      outputs,
      ids.map(() => '***'),
    );
    const own = postgres(address.url, { max: 1 });
    const tables = await own`SELECT schemaname, tablename FROM pg_tables
      WHERE schemaname IN ('workflow_automation', 'openworkflow')`;
    assert.ok(tables.length > 10);
    for (const { schemaname, tablename } of tables) {
      const table = own(`${String(schemaname)}.${String(tablename)}`);
      const found = await own`SELECT 1 FROM ${table} AS each WHERE each::text LIKE ${`%${value}%`}`;
      assert.equal(found.length, 0, String(tablename));
    }
    await own.end();
  });

  it('keeps them queued while no process has the key, reports it, and continues once one has it', async () => {
    const service = await serveTeam({});
    const workflowId = await createDeployed(service, uses());
    const waiting = await execute(service, workflowId, {});
    const other = await createDeployed(service, chain(start, ['answer', 'output', { expression: '1' }]));
    await follow(service, await execute(service, other, {}));
    const { body: health } = await call(service, 'GET', '/health');
    assert.deepEqual([health['status'], health['ready']], ['degraded', true]);
    assert.match(textAt(health, 'reason'), /without the key for the stored secrets/);
    assert.equal((await call(service, 'GET', `/v1/executions/${waiting}`)).body['status'], 'queued');
    const worker = await startTeam(firstKey, 'worker');
    await follow(service, waiting);
    assert.equal(
      (await call(service, 'GET', `/v1/executions/${waiting}/output`)).body['status'],
      'completed',
    );
    await worker.kill();
    const next = await execute(service, workflowId, {});
    await runProgramWith({}, 'secrets', 'delete', 'TOKEN', '--database-url', address.url);
    await follow(service, next);
    const { body } = await call(service, 'GET', `/v1/executions/${next}`);
    assert.equal(textAt(body, 'error', 'code'), 'secret_missing');
    while ((await call(service, 'GET', '/health')).body['status'] !== 'ok') await nextTurn();
  });
});
