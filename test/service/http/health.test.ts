// Whether the service works is reported to any program on this machine.
import assert from 'node:assert/strict';
import { createTestService } from '../../support/service.ts';
import { assertRefused, call } from '../calls.ts';

describe('Health', () => {
  it('is reported without a key, with 503 while the service is not ready', async () => {
    const ask = async (isReady: boolean) => {
      const other = await createTestService({ isReady });
      const answer = await call({ ...other, key: 'none' }, 'GET', '/health');
      await other.dispose();
      return [answer.status, answer.body];
    };
    assert.deepEqual(await ask(true), [200, { status: 'ok', live: true, ready: true }]);
    assert.deepEqual(await ask(false), [503, { status: 'ok', live: true, ready: false }]);
    const service = await createTestService();
    assertRefused(await call(service, 'POST', '/health'), 405, 'method_not_allowed');
    assert.equal((await service.app.request('/metrics')).status, 404, 'metrics are only for a team');
    await service.dispose();
  });
});
