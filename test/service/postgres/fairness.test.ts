// Executions that wait for another service keep no other workflow from starting, in any worker.
import assert from 'node:assert/strict';
import { chain, createDeployed, execute, followUntil } from '../calls.ts';
import { executeMany } from '../process/underWay.ts';
import { CountingServer, Team } from './team.ts';

const workers = 2;
const start = ['start', 'trigger'] as const;
/** Alone, a quick one begins within 50 ms. */
const longestMs = 2000;

describe('A quick workflow of a team begins at once', () => {
  const server = new CountingServer();
  let team: Team;
  let url = '';
  before(async () => {
    url = await server.start();
    team = await Team.start(1, workers);
  });
  after(async () => {
    await team.dispose();
    server.close();
  });

  it('beside 70 executions for each worker of a request that is never answered', async () => {
    const service = team.service(0);
    server.hold(() => true);
    const hanging = chain(start, ['ask', 'httpRequest', { url, timeoutMs: 120_000 }]);
    await executeMany(service, await createDeployed(service, hanging), 70 * workers);
    await server.untilHeld(70 * workers);
    const quick = await createDeployed(service, chain(start, ['answer', 'output', { expression: '1' }]));
    for (let count = 0; count < 5; count += 1) {
      const began = performance.now();
      await followUntil(service, await execute(service, quick, {}), () => true);
      const tookMs = performance.now() - began;
      assert.ok(tookMs < longestMs, `${tookMs} ms`);
    }
  });
});
