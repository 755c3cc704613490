// An answer that is lost on the way: the real service runs the workflow once, and its execution is found.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import type { HttpPort } from '../../../src/api/http/httpPort.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Clock } from '../../../src/base/time.ts';
import {
  executeOnce,
  UnconfirmedExecution,
  type WantedExecution,
} from '../../../src/model/workflows/executing.ts';
import { createAppPort } from '../../support/appPort.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { kindOf } from '../../support/reasons.ts';
import { createTestService, type TestService } from '../../support/service.ts';

/** What becomes of the answer to the first execute call. */
type Loss = 'reset' | 'unavailable' | 'unreadable' | 'notSent';
const baseUrl = 'http://127.0.0.1/v1';

describe('an execute call', () => {
  const hasty = createHastyClock();
  let service: TestService;
  let clock: Clock;
  let client: ServicePort;
  let workflowId: string;
  let keys: (string | undefined)[];
  let loss: Loss | undefined;
  let hidesList: boolean;
  /** How far this machine's clock is ahead of the service's. */
  let aheadMs: number;

  beforeEach(async () => {
    service = await createTestService();
    const app = createAppPort(service.app);
    [keys, loss, hidesList, aheadMs] = [[], undefined, false, 0];
    const port: HttpPort = async (url, request) => {
      const response = await answer(url, request);
      const dated = new Map([['date', new Date().toUTCString()]]);
      return { ...response, headers: { get: (name) => dated.get(name) ?? response.headers.get(name) } };
    };
    const answer: HttpPort = async (url, request) => {
      if (hidesList && url.includes('/executions?')) return app(`${baseUrl}/executions?limit=0`, request);
      if (!/\/(execute|draft-executions)$/.test(url)) return app(url, request);
      keys.push(request.headers['Idempotency-Key']);
      const lost = loss;
      loss = undefined;
      const reset = Object.assign(new Error('x'), { code: 'ECONNRESET' });
      if (lost === 'notSent') throw reset;
      const response = await app(url, request);
      if (lost === 'reset') throw reset;
      if (lost === 'unavailable') return { ...response, status: 502, headers: new Headers() };
      if (lost === 'unreadable') return { ...response, body: new Blob(['{"data":']).stream() };
      return response;
    };
    clock = { ...hasty, now: () => hasty.now() + aheadMs };
    client = createClient({
      http: () => Promise.resolve(port),
      baseUrl,
      key: () => Promise.resolve(service.key),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock }),
      logger: silentLogger,
      clock,
    });
    const nodes = [{ id: 't', type: 'trigger' }];
    workflowId = (await client.workflows.create({ name: 'Lost', nodes, edges: [] })).id;
    await client.workflows.deploy(workflowId);
  });
  afterEach(async () => {
    client.dispose();
    await service.dispose();
  });

  const wanted = (input = { a: 1 }): WantedExecution => ({
    client,
    clock,
    workflowId,
    input,
    idempotencyKey: 'key-1',
    known: new Set(),
    calledAt: clock.now(),
  });
  const executions = async (): Promise<readonly string[]> => {
    hidesList = false;
    return (await client.executions.list({ workflowId })).items.map(({ id }) => id);
  };

  for (const each of ['reset', 'unavailable', 'unreadable'] as const)
    it(`whose answer is lost (${each}) has the execution that was started for its result`, async () => {
      loss = each;
      const { executionIds, eventIds } = await executeOnce(wanted());
      assert.deepEqual(executionIds, await executions());
      assert.equal(executionIds.length, 1);
      assert.equal(eventIds.length, 1);
      assert.deepEqual(keys, ['key-1']);
    });

  it('whose answer is lost has it, too, where this machine is ten minutes ahead of the service', async () => {
    aheadMs = 600_000;
    loss = 'reset';
    const { executionIds } = await executeOnce(wanted());
    assert.deepEqual(executionIds, await executions());
    assert.equal(executionIds.length, 1);
  });

  it('that never arrived is sent again only when asked, with the same key', async () => {
    loss = 'notSent';
    const error: unknown = await executeOnce(wanted()).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof UnconfirmedExecution);
    assert.equal(error.reason.kind, 'unanswered');
    assert.deepEqual([keys, await executions()], [['key-1'], []]);
    const { executionIds } = await executeOnce(error.wanted);
    assert.deepEqual(executionIds, await executions());
    assert.deepEqual(keys, ['key-1', 'key-1']);
  });

  it('that ran without being found runs no second time when it is sent again', async () => {
    loss = 'reset';
    hidesList = true;
    const error: unknown = await executeOnce(wanted()).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof UnconfirmedExecution);
    const { executionIds } = await executeOnce(error.wanted);
    assert.deepEqual(executionIds, await executions());
    assert.equal(executionIds.length, 1);
  });

  it('of a draft takes no execution of what is deployed for its own, nor the other way around', async () => {
    const draft = { ...wanted(), draft: { input: { a: 1 } } };
    await client.workflows.execute(workflowId, { a: 1 });
    loss = 'notSent';
    assert.equal(await kindOf(executeOnce(draft)), 'unanswered');
    loss = 'reset';
    const { executionIds } = await executeOnce(draft);
    const { kind } = await client.executions.get(executionIds[0] ?? '');
    assert.equal(kind, 'draft');
  });

  it('takes no execution of another input, nor one of several, for its own', async () => {
    const call = (): Promise<unknown> => client.workflows.execute(workflowId, { b: 2 });
    await call();
    loss = 'notSent';
    assert.equal(await kindOf(executeOnce(wanted())), 'unanswered');
    await call();
    loss = 'notSent';
    assert.equal(await kindOf(executeOnce(wanted({ a: 1 }))), 'unanswered');
  });

  it('that was refused is refused', async () => {
    await client.workflows.undeploy(workflowId);
    assert.equal(await kindOf(executeOnce(wanted())), 'notDeployed');
  });
});
