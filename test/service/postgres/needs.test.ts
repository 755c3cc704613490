// Processes of two versions on one database, while a team replaces them.
import assert from 'node:assert/strict';
import postgres from 'postgres';
import { olderName } from '../../../src/service/store/postgres/olderProcesses.ts';
import { assertRefused, call, chain, createDeployed, execute, follow, textAt } from '../calls.ts';
import { Team } from './team.ts';

const start = ['start', 'trigger'] as const;

describe('While a process of an older version uses the database', () => {
  let team: Team;
  before(async () => {
    team = await Team.start(1, 1);
  });
  after(() => team.dispose());

  it('drafts and retries are refused with a clear error, and other executions run on either version', async () => {
    const service = team.service(0);
    const older = postgres(team.address.url, { max: 1, connection: { application_name: olderName } });
    await older`SELECT 1`;
    const workflowId = await createDeployed(
      service,
      chain(start, ['stop', 'fail', { message: 'It fails.' }]),
    );
    const failed = await execute(service, workflowId, {});
    await follow(service, failed);
    const [row] = await older`SELECT queue FROM workflow_automation.executions WHERE id = ${failed}`;
    assert.equal(row?.['queue'], 'default');
    const draft = () => call(service, 'POST', `/v1/workflows/${workflowId}/draft-executions`, {});
    const retry = () => call(service, 'POST', `/v1/executions/${failed}/retry`, {});
    for (const refused of [await draft(), await retry()]) {
      assertRefused(refused, 503, 'unavailable');
      assert.match(textAt(refused.body, 'error', 'message'), /run an older version.* Restart them/);
    }
    const uses = chain(start, ['ask', 'httpRequest', { url: 'http://127.0.0.1:1/{{ secrets.TOKEN }}' }]);
    const other = await createDeployed(service, uses);
    assertRefused(
      await call(service, 'POST', `/v1/workflows/${other}/execute`, { input: {} }),
      503,
      'unavailable',
    );
    await older.end();
    let answer = await draft();
    while (answer.status === 503) answer = await draft();
    assert.equal(answer.status, 202, answer.text);
    await follow(service, textAt(answer.body, 'executionIds', 0));
    assert.equal((await retry()).status, 202);
  });
});
