// The table of what a view says about its connection.
import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorReason } from '../../../src/domain/errors.ts';
import { connectionState } from '../../../src/features/workflows/workflowsFrame.ts';

const connection = { id: 'c', name: 'C', kind: 'remote', baseUrl: 'https://api.example/v1' } as const;
const failure = (reason: ServiceErrorReason): ServiceError => new ServiceError(reason, 'failed');

describe('the state of a connection', () => {
  it('is none without a connection, loading before the first answer, ready with data', () => {
    assert.deepEqual(connectionState(null, true, null), { kind: 'none' });
    assert.deepEqual(connectionState(connection, false, null), { kind: 'loading' });
    assert.deepEqual(connectionState(connection, true, null), { kind: 'ready', staleBecause: null });
  });

  it('lets a key problem hide the data that are there', () => {
    const rejected = failure({ kind: 'keyRejected', code: 'api_key_revoked' });
    assert.deepEqual(connectionState(connection, true, rejected), {
      kind: 'keyRejected',
      fault: 'revoked',
    });
    assert.deepEqual(connectionState(connection, true, failure({ kind: 'keyMissing' })), {
      kind: 'keyMissing',
    });
  });

  it('keeps data on screen through every other failure', () => {
    const error = failure({ kind: 'unreachable', cause: 'tls' });
    assert.deepEqual(connectionState(connection, true, error), { kind: 'ready', staleBecause: error });
  });

  const withoutData: readonly (readonly [ServiceErrorReason, object])[] = [
    [
      { kind: 'unreachable', cause: 'dns' },
      { kind: 'unreachable', cause: 'dns' },
    ],
    [{ kind: 'unavailable' }, { kind: 'unavailable' }],
    [
      { kind: 'rateLimited', retryAt: 5, isQuota: true },
      { kind: 'rateLimited', retryAt: 5, isQuota: true },
    ],
  ];
  for (const [reason, expected] of withoutData) {
    it(`tells ${reason.kind} when there is nothing to show`, () =>
      assert.deepEqual(connectionState(connection, false, failure(reason)), expected));
  }

  it('hands on a failure of no special kind as it is', () => {
    const error = failure({ kind: 'unreadable', cause: 'notJson' });
    assert.deepEqual(connectionState(connection, false, error), { kind: 'failed', error });
  });
});
