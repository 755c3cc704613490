// An execution has one fate: what was accepted is carried out, by one run at a time, and what a node did is done once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { LostClaimError } from '../../../src/service/store/lockedExecution.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { isOnPostgres, openTestStorage, queryStorage, type TestStorage } from '../../support/storage.ts';
import { at, call, chain, claimOne, createDeployed, execute, follow, runToEnd, textAt } from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

/** Makes the database refuse the result of the node "call". */
const refusal = (): string =>
  isOnPostgres()
    ? `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused by the test''; END';
     CREATE TRIGGER refuse BEFORE UPDATE ON node_runs FOR EACH ROW
     WHEN (NEW.status = 'completed' AND NEW.node_id = 'call') EXECUTE FUNCTION refuse()`
    : `CREATE TRIGGER refuse BEFORE UPDATE ON node_runs WHEN NEW.status = 'completed' AND NEW.node_id = 'call'
     BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`;

describe('The fate of an execution', () => {
  let dataFolder = '';
  let path = '';
  let service: TestService;
  let calls = 0;
  let server: Running;
  let url = '';
  before(async () => {
    server = await serve((_request, response) => {
      calls += 1;
      response.end('ok');
    });
    url = `http://127.0.0.1:${server.port}/`;
  });
  after(() => server.close());
  beforeEach(async () => {
    calls = 0;
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
    service = await createTestService({ path, requestsPerMinute: 10_000 });
  });
  afterEach(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });
  const calling = () =>
    chain(
      ['start', 'trigger'],
      ['call', 'httpRequest', { url }],
      ['answer', 'output', { expression: 'nodes.call.body' }],
    );
  const reopen = async (change: string): Promise<void> => {
    await service.dispose();
    await queryStorage(path, change);
    service = await createTestService({ path, requestsPerMinute: 10_000 });
  };
  const outcome = async (executionId: string) => {
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    return [body['status'], body['output'], at(body, 'error', 'code') ?? null];
  };

  /** Accepts an execution while no engine runs. */
  const accept = async (): Promise<{ readonly storage: TestStorage; readonly id: string }> => {
    const workflowId = await createDeployed(service, calling());
    const deployed = await service.store.workflows.getDeployed(workflowId);
    assert.ok(deployed);
    await service.dispose();
    const storage = await openTestStorage({ path, now: systemClock.now, logger: silentLogger });
    const triggered = await storage.store.executions.trigger({ workflowId, ...deployed, input: '{}' });
    assert.ok(triggered.kind === 'created');
    return { storage, id: triggered.execution.id };
  };

  it('after a crash between accepting it and starting its run: it runs once', async () => {
    const { storage, id } = await accept();
    await storage.store.close();
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    await follow(service, id);
    assert.deepEqual(await outcome(id), ['completed', 'ok', null]);
    assert.equal(calls, 1);
  });

  it('when the clock was set back while no service ran: it runs', async function () {
    // On PostgreSQL, the clock is the database's, and other processes can have what it has.
    if (isOnPostgres()) this.skip();
    const { storage, id } = await accept();
    await storage.store.close();
    await queryStorage(path, 'UPDATE executions SET available_at = available_at + 3600000');
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    await follow(service, id);
    assert.deepEqual(await outcome(id), ['completed', 'ok', null]);
  });

  it('after a crash before its run was stored: its state is reported correctly', async () => {
    const definition = chain(
      ['start', 'trigger'],
      ['wait', 'delay', { milliseconds: 100 }],
      ['call', 'httpRequest', { url }],
    );
    const executionId = await execute(service, await createDeployed(service, definition), {});
    await reopen(`UPDATE executions SET worker_id = NULL`);
    await follow(service, executionId);
    assert.deepEqual(await outcome(executionId), ['completed', null, null]);
    assert.equal(calls, 1);
  });

  it('a lost run is replaced by another', async () => {
    const definition = chain(
      ['start', 'trigger'],
      ['wait', 'delay', { milliseconds: 50 }],
      ['call', 'httpRequest', { url }],
    );
    const executionId = await execute(service, await createDeployed(service, definition), {});
    await reopen(`UPDATE executions SET worker_id = 'another', available_at = 0 WHERE completed_at IS NULL`);
    await follow(service, executionId);
    assert.deepEqual(await outcome(executionId), ['completed', null, null]);
    assert.equal(calls, 1);
  });

  it('belongs to one run until that hands it over', async () => {
    const { storage, id } = await accept();
    const { executions } = storage.store;
    const first = await claimOne(executions);
    assert.equal(first?.id, id);
    assert.equal(await claimOne(executions), undefined);
    await queryStorage(path, 'UPDATE executions SET available_at = 0');
    const held = await claimOne(executions);
    assert.ok(held, 'its lease has expired');
    assert.equal(await first.handOver(0), false);
    await assert.rejects(
      executions.write(first.claim, (writer) => writer.finish({ status: 'completed', output: '1' })),
      LostClaimError,
    );
    await assert.rejects(
      first.write((writer) => writer.finish({ status: 'completed', output: '1' })),
      LostClaimError,
    );
    assert.equal(await held.handOver(0), true);
    assert.ok(await claimOne(executions));
    await storage.store.close();
    service = await createTestService({ path, requestsPerMinute: 10_000 });
  });

  it('a node whose result cannot be stored fails once, although it has retries', async () => {
    await queryStorage(path, refusal());
    const nodes = calling();
    const definition = {
      ...nodes,
      nodes: [
        { id: 'start', type: 'trigger' },
        {
          id: 'call',
          type: 'httpRequest',
          config: { url },
          retry: { maximumAttempts: 3, initialDelayMs: 1 },
        },
        { id: 'answer', type: 'output', config: { expression: 'nodes.call.body' } },
      ],
    };
    const { result, rows } = await runToEnd(service, definition);
    assert.equal(at(result, 'error', 'nodeId'), 'call');
    assert.match(textAt(result, 'error', 'message'), /^The result can't be kept: .*refused by the test/);
    assert.equal(at(rows.at(-1), 'error', 'code'), 'result_not_kept');
    assert.equal(calls, 1);
  });
});
