// Only a caller with the session token creates and revokes keys, and no key is stored (contract section 3, settings).
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { ApiKeySchema, CreatedApiKeySchema } from '../../../src/protocol/records.ts';
import { createNonce, proveIdentity } from '../../../src/protocol/localService/instance.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, call, callSettings, listAt, textAt } from '../calls.ts';

describe('Settings', () => {
  let service: TestService;
  let ends = 0;
  beforeEach(async () => {
    ends = 0;
    service = await createTestService({ onEnd: () => (ends += 1) });
  });
  afterEach(() => service.dispose());

  it('refuse everyone without the session token, whatever key they have', async () => {
    for (const [method, path] of [
      ['GET', '/settings/api-keys'],
      ['POST', '/settings/api-keys'],
      ['DELETE', '/settings/api-keys/key_1'],
      ['GET', '/settings/lease'],
      ['POST', '/settings/stop'],
    ] as const)
      assertRefused(await call(service, method, path), 403, 'forbidden');
    const wrong = { ...service, sessionToken: `${service.sessionToken}x` };
    assertRefused(await callSettings(wrong, 'GET', '/settings/api-keys'), 403, 'forbidden');
    assert.equal(ends, 0);
  });

  it('create a key, shown once; list it masked; revoke it at once', async () => {
    const made = await callSettings(service, 'POST', '/settings/api-keys', { name: 'CI', expiration: '90d' });
    assert.equal(made.status, 201);
    const record = v.parse(v.strictObject(CreatedApiKeySchema.entries), made.body);
    assert.match(record.key, /^svc_sk_[\w-]{32}$/);
    assert.equal(record.preview, `${record.key.slice(0, 11)}…`);
    const user = { app: service.app, key: record.key };
    assert.equal((await call(user, 'GET', '/v1/workflows')).status, 200);

    const listed = await callSettings(service, 'GET', '/settings/api-keys');
    const [first] = listAt(listed.body, 'data');
    const { requestCount, lastUsedAt, name } = v.parse(v.strictObject(ApiKeySchema.entries), first);
    assert.deepEqual([name, requestCount, lastUsedAt === null], ['CI', 1, false]);
    assert.ok(!listed.text.includes(record.key));

    const path = `/settings/api-keys/${record.id}`;
    assert.equal((await callSettings(service, 'DELETE', path)).status, 204);
    assertRefused(await call(user, 'GET', '/v1/workflows'), 401, 'api_key_revoked');
    const revokedAt = async () => {
      const { body } = await callSettings(service, 'GET', '/settings/api-keys');
      return textAt(body, 'data', 0, 'revokedAt');
    };
    const before = await revokedAt();
    assert.equal((await callSettings(service, 'DELETE', path)).status, 204);
    assert.equal(await revokedAt(), before);
    assertRefused(await callSettings(service, 'DELETE', '/settings/api-keys/none'), 404, 'api_key_not_found');
  });

  it('count a request once, though the uses are written while an earlier write is under way', async () => {
    const { id } = await service.store.keys.create('counted', 'never');
    service.store.keys.recordUse(id);
    await Promise.all([service.store.keys.close(), service.store.keys.close()]);
    assert.equal((await service.store.keys.get(id))?.requestCount, 1);
  });

  it('refuse a key without a name or with another expiration', async () => {
    for (const body of [
      { expiration: '30d' },
      { name: ' ', expiration: '30d' },
      { name: 'a', expiration: '7d' },
    ])
      assertRefused(
        await callSettings(service, 'POST', '/settings/api-keys', body),
        422,
        'validation_failed',
      );
    assertRefused(await callSettings(service, 'PUT', '/settings/api-keys'), 405, 'method_not_allowed');
  });

  it('prove their identity without a token, for one nonce, and reveal nothing else', async () => {
    const nonce = createNonce();
    const answer = await call(service, 'GET', `/settings/identity?nonce=${nonce}`);
    const proof = proveIdentity(service.sessionToken, nonce, 'http://127.0.0.1:0');
    assert.deepEqual([answer.status, answer.body], [200, { proof }]);
    for (const wrong of ['', 'short', `${nonce}x`, '%0a'.repeat(43)])
      assertRefused(await call(service, 'GET', `/settings/identity?nonce=${wrong}`), 400, 'invalid_request');
  });

  it('end the service on request', async () => {
    assert.equal((await callSettings(service, 'POST', '/settings/stop')).status, 202);
    assert.equal(ends, 1);
  });
});
