// Cancelling reaches the worker that runs the node, whichever process was asked; a retry survives the worker that carries it out.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import {
  assertRefused,
  call,
  createDeployed,
  execute,
  follow,
  listAt,
  type Service,
  textAt,
} from '../calls.ts';
import { CountingServer, Team } from './team.ts';

describe('In a team', () => {
  let server: CountingServer;
  let team: Team;
  let own: postgres.Sql;
  let workflowId = '';

  before(async () => {
    team = await Team.start(2, 1);
    own = postgres(team.address.url, { max: 1, onnotice: () => undefined });
  });
  after(async () => {
    await own.end();
    await team.dispose();
  });
  beforeEach(async () => {
    server = new CountingServer();
    const base = await server.start();
    workflowId = await createDeployed(team.service(0), {
      name: 'Ten calls',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'each', type: 'forEach', config: { items: '[0..9]', result: 'item' } },
        { id: 'ask', type: 'httpRequest', config: { url: `${base}/{{ item }}` } },
        { id: 'end', type: 'output', config: { expression: 'nodes.each' } },
      ],
      edges: [
        { source: 'start', target: 'each' },
        { source: 'each', target: 'ask', branch: 'each' },
        { source: 'each', target: 'end', branch: 'done' },
      ],
    });
  });
  afterEach(() => server.close());

  const cancel = (service: Service, executionId: string) =>
    call(service, 'POST', `/v1/executions/${executionId}/cancel`);

  /** Its request is aborted and it has one end, which one event reports. */
  async function assertCancelled(executionId: string): Promise<void> {
    await server.untilAbandoned(1);
    const rows = await follow(team.service(0), executionId);
    assert.deepEqual(rows.flatMap(({ status, nodeId }) => (status === 'cancelled' ? [nodeId] : [])).sort(), [
      'ask',
      'each',
    ]);
    const { body } = await call(team.service(0), 'GET', '/v1/portal/events?limit=100');
    const ends = listAt(body, 'data')
      .filter((event) => JSON.stringify(event).includes(executionId))
      .map((event) => textAt(event, 'type'))
      .filter((type) => /^execution\.(completed|failed|cancelled)$/.test(type));
    assert.deepEqual(ends, ['execution.cancelled']);
  }

  it('an execution is cancelled on one process while the worker of another runs its node, and a retry of it outlives its worker', async () => {
    server.hold((path) => path === '/6');
    const executionId = await execute(team.service(0), workflowId, {});
    await server.untilHeld(1);
    const cancelled = await cancel(team.service(1), executionId);
    assert.equal(cancelled.body['status'], 'cancelled', cancelled.text);
    await server.untilAbandoned(1);
    await follow(team.service(0), executionId);
    server.release();
    server.hold((path) => path === '/8');
    const answer = await call(team.service(1), 'POST', `/v1/executions/${executionId}/retry`);
    const retried = textAt(answer.body, 'executionIds', 0);
    await server.untilHeld(1);
    const [first] = team.workers;
    assert.ok(first);
    await team.addWorker();
    await team.addWorker();
    await team.killWorker(first);
    // What time would do in 28 seconds.
    await own`UPDATE workflow_automation.executions SET available_at = 0 WHERE worker_id IS NOT NULL`;
    await server.untilHeld(2);
    server.release();
    await follow(team.service(0), retried);
    const { body } = await call(team.service(0), 'GET', `/v1/executions/${retried}/output`);
    assert.deepEqual([body['status'], body['output']], ['completed', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    // 6 was under way when it was cancelled, and 8 when its worker died.
    assert.deepEqual(
      [...server.counts].sort(),
      Array.from({ length: 10 }, (_item, index) => [`/${index}`, index === 6 || index === 8 ? 2 : 1]),
    );
  });

  it('an execution stays unchanged, and can be cancelled, when the process that was about to cancel it is killed', async () => {
    const asked = await team.addService();
    server.hold((path) => path === '/3');
    const executionId = await execute(team.service(0), workflowId, {});
    await server.untilHeld(1);
    await own.begin(async (sql) => {
      await sql`SELECT 1 FROM workflow_automation.executions WHERE id = ${executionId} FOR UPDATE`;
      const answer = assert.rejects(async () => cancel(team.service(asked), executionId));
      for (let isWaiting = false; !isWaiting;) {
        // A transaction goes on seeing what it saw first.
        await sql`SELECT pg_stat_clear_snapshot()`;
        const rows = await sql`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        isWaiting = rows.length > 0;
      }
      await team.program(asked).kill();
      await answer;
    });
    const { body } = await call(team.service(0), 'GET', `/v1/executions/${executionId}`);
    assert.equal(body['status'], 'running');
    const cancelled = await cancel(team.service(1), executionId);
    assert.equal(cancelled.status, 200, cancelled.text);
    await assertCancelled(executionId);
  });

  it('an execution is cancelled once when the process that cancels it is killed before or after its response', async () => {
    const asked = await team.addService();
    server.hold((path) => path === '/3');
    const executionId = await execute(team.service(0), workflowId, {});
    await server.untilHeld(1);
    const answer = cancel(team.service(asked), executionId).catch(() => undefined);
    for (let status: unknown = 'running'; status === 'running';) {
      const [row] = await own`SELECT status FROM workflow_automation.executions WHERE id = ${executionId}`;
      status = row?.['status'];
    }
    await team.program(asked).kill();
    await answer;
    assertRefused(await cancel(team.service(1), executionId), 409, 'execution_ended');
    await assertCancelled(executionId);
  });
});
