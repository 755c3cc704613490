// Cancelling reaches the worker that runs the node, whichever process was asked; a retry survives the worker that carries it out.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import { call, createDeployed, execute, follow, textAt } from '../calls.ts';
import { CountingServer, Team } from './team.ts';

describe('In a team', () => {
  const server = new CountingServer();
  let team: Team;
  let own: postgres.Sql;
  let workflowId = '';

  before(async () => {
    const base = await server.start();
    team = await Team.start(2, 1);
    own = postgres(team.address.url, { max: 1, onnotice: () => undefined });
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
  after(async () => {
    server.close();
    await own.end();
    await team.dispose();
  });

  it('an execution is cancelled on one process while the worker of another runs its node, and a retry of it outlives its worker', async () => {
    server.hold((path) => path === '/6');
    const executionId = await execute(team.service(0), workflowId, {});
    await server.untilHeld(1);
    const cancelled = await call(team.service(1), 'POST', `/v1/executions/${executionId}/cancel`);
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
    await own`UPDATE openworkflow.workflow_runs SET available_at = NOW() WHERE status = 'running'`;
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
});
