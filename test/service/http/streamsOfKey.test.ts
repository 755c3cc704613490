import assert from 'node:assert/strict';
import { limits } from '../../../src/protocol/operations.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, call, openStream, textAt, toCompleteResponse } from '../calls.ts';

const path = '/v1/portal/events';

describe('Streams of one key', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  it('are limited; a key with too many gets advice, and can read without a stream', async () => {
    // The response to HEAD opens none.
    const head = {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${service.key}`, Accept: 'text/event-stream' },
    };
    for (let count = 0; count <= limits.streamsPerKey; count += 1)
      assert.equal((await service.app.request(path, head)).status, 200);
    const open = await Promise.all(
      Array.from({ length: limits.streamsPerKey }, () => openStream(service, path)),
    );
    assert.deepEqual(new Set(open.map(({ status }) => status)), new Set([200]));
    const refused = await toCompleteResponse(await openStream(service, path));
    assertRefused(refused, 429, 'too_many_streams');
    assert.equal(refused.headers.get('Retry-After'), '30');
    assert.match(
      textAt(refused.body, 'error', 'message'),
      /^This API key already has 50 open streams, the maximum; close one, .* or read without a stream\.$/,
    );
    assert.equal((await call(service, 'GET', path)).status, 200);
    const { key } = await service.store.keys.create('other', 'never');
    assert.equal((await openStream({ app: service.app, key }, path)).status, 200);
    await open[0]?.body?.cancel();
    assert.equal((await openStream(service, path)).status, 200);
    assertRefused(await toCompleteResponse(await openStream(service, path)), 429, 'too_many_streams');
  });
});
