// How long a command may take.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from '../../support/runHere.ts';

describe('the time that a command has', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timeout-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const seconds of ['1000', '2147484', '999999999'])
    it(`is ${seconds} seconds where that is given, also where timers take no more`, async () => {
      const body = JSON.stringify({ workflows: [], nextCursor: null });
      const answer = () =>
        Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
      const { code, stderr } = await runHere(['workflow', 'list', '--timeout', seconds], {
        environment: { WORKFLOW_BASE_URL: 'https://service.test/v1', WORKFLOW_API_KEY: 'key' },
        serviceOptions: {
          ledgerPath: join(folder, 'budget.db'),
          http: () => Promise.resolve(Object.assign(answer, { dispose: () => undefined })),
        },
      });
      assert.deepEqual([code, stderr], [0, '']);
    });
});
