// A request sent again that did its work the first time does it twice.
import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorReason } from '../../../src/domain/errors.ts';
import { type FailedAttempt, retryDelay, type RequestKind } from '../../../src/api/request/transport.ts';

const limited: ServiceErrorReason = { kind: 'rateLimited', retryAt: 0, isQuota: false };
const quota: ServiceErrorReason = { kind: 'rateLimited', retryAt: 0, isQuota: true };
const reset: ServiceErrorReason = { kind: 'unreachable', cause: 'reset' };
const busy: ServiceErrorReason = { kind: 'unavailable' };

function attempt(reason: ServiceErrorReason, status: number, kind: RequestKind): FailedAttempt {
  const error = new ServiceError(reason, 'x', { status, ...(status === 0 ? { cause: new Error('y') } : {}) });
  return {
    error,
    kind,
    retries: 0,
    retryAfterMs: null,
    refusedForMs: 0,
    budgetWaitMs: 0,
    maximumWaitMs: 10_000,
  };
}

describe('The wait before a retry', () => {
  const rows: readonly (readonly [ServiceErrorReason, number, number | null, number | null])[] = [
    // reason, status, and the delay for: a read, a write
    [reset, 0, 125, null],
    [{ kind: 'unreachable', cause: 'dns' }, 0, 125, null],
    [{ kind: 'unreachable', cause: 'refused' }, 0, 125, null],
    [{ kind: 'unreachable', cause: 'tls' }, 0, null, null],
    [{ kind: 'unreachable', cause: 'proxy' }, 0, null, null],
    [{ kind: 'unreachable', cause: 'timeout' }, 0, null, null],
    [limited, 429, 0, 0],
    [limited, 403, 0, 0],
    [limited, 0, 0, 0],
    [quota, 429, null, null],
    [busy, 502, 125, null],
    [busy, 503, 125, null],
    [busy, 504, 125, null],
    [busy, 500, null, null],
    [{ kind: 'notFound' }, 404, null, null],
    [{ kind: 'keyRejected', code: null }, 401, null, null],
  ];
  for (const [reason, status, read, write] of rows)
    it(`${JSON.stringify(reason)} with ${status}`, () => {
      const delays = (['read', 'write'] as const).map((kind) =>
        retryDelay(attempt(reason, status, kind), () => 0),
      );
      assert.deepEqual(delays, [read, write]);
    });

  it('is none for what was never sent', () => {
    const error = new ServiceError(reset, 'x');
    assert.equal(
      retryDelay({ ...attempt(reset, 0, 'read'), error }, () => 0),
      null,
    );
  });

  it('doubles, with jitter, three times at most', () => {
    const delays = (random: number): readonly (number | null)[] =>
      [0, 1, 2, 3].map((retries) => retryDelay({ ...attempt(reset, 0, 'read'), retries }, () => random));
    assert.deepEqual(delays(0), [125, 250, 500, null]);
    assert.deepEqual(delays(1), [250, 500, 1000, null]);
  });

  it('heeds a busy service that names its time, unless that is too long', () => {
    const row = attempt(busy, 503, 'read');
    assert.equal(
      retryDelay({ ...row, retryAfterMs: 4000 }, () => 0),
      4000,
    );
    assert.equal(
      retryDelay({ ...row, retryAfterMs: 40_000 }, () => 0),
      null,
    );
  });

  it('surfaces a limit that the caller would not wait out', () => {
    for (const wait of [{ budgetWaitMs: 10_001 }, { refusedForMs: 10_001 }])
      assert.equal(
        retryDelay({ ...attempt(limited, 429, 'read'), ...wait }, () => 0),
        null,
      );
  });

  it('is that of the budget, or else what the refusal says', () => {
    const row = { ...attempt(limited, 429, 'write'), refusedForMs: 4000 };
    assert.equal(
      retryDelay(row, () => 0),
      4000,
    );
    assert.equal(
      retryDelay({ ...row, budgetWaitMs: 4000 }, () => 0),
      0,
    );
  });
});
