// One hook learns of each failure, so that no caller has to report it.
import assert from 'node:assert/strict';
import { isServiceError, type ServiceError } from '../../../src/domain/errors.ts';
import { collect } from '../../support/following.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

const refused = { status: 401, body: { error: { code: 'api_key_revoked', message: 'Revoked.' } } };

describe('the hook for failures', () => {
  let told: ServiceError[];
  const owner = { connectionId: 'connection_1', onFailure: (error: ServiceError) => void told.push(error) };
  beforeEach(() => {
    told = [];
  });

  it('is told of a call once, before its caller, and says whose it was', async () => {
    const { client } = createScriptedClient(() => refused, undefined, undefined, owner);
    const calls = [
      () => client.workflows.list({}),
      () => client.workflows.execute('w', {}),
      () => client.executions.output('x'),
      () => client.portalEvents.send({ type: 't' }),
    ];
    for (const call of calls) {
      told = [];
      await assert.rejects(call(), (error) => error === told[0]);
      assert.equal(told.length, 1);
      assert.equal(told[0]?.connectionId, 'connection_1');
      assert.deepEqual(told[0].reason, { kind: 'keyRejected', code: 'api_key_revoked' });
    }
  });

  it('says whose an answer was that cannot be understood', async () => {
    const { client } = createScriptedClient(() => ({ body: 'x' }), undefined, undefined, owner);
    const isMissing: readonly string[] = ['unreadable', 'noList'];
    const isOwned = (error: unknown): boolean =>
      isServiceError(error) && isMissing.includes(error.reason.kind) && error.connectionId === 'connection_1';
    await assert.rejects(client.executions.get('x'), isOwned);
    await assert.rejects(client.workflows.list({}), isOwned);
  });

  it('is told of a stream once', async () => {
    const { client, clock } = createScriptedClient(() => refused, undefined, undefined, owner);
    const follow = client.executions.follow('x', {}, new AbortController().signal);
    const { error } = await collect(clock, follow, 5);
    assert.equal(told.length, 1);
    assert.equal(error, told[0]);
  });

  it('is not told of what was cancelled, nor of a try that was repeated with success', async () => {
    const cancel = new AbortController();
    const { client, clock } = createScriptedClient(
      (_path, _request, count) => (count === 0 ? { status: 503 } : { body: [] }),
      undefined,
      undefined,
      owner,
    );
    const call = client.workflows.list({});
    await clock.advance(5000);
    await call;
    cancel.abort();
    await assert.rejects(client.workflows.list({}, { signal: cancel.signal }), { name: 'AbortError' });
    assert.deepEqual(told, []);
  });
});
