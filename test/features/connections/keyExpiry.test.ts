// The table of when a key ends and when it is spoken of.
import assert from 'node:assert/strict';
import { isReminderDue, keyExpiry } from '../../../src/features/connections/keyExpiry.ts';

const day = 24 * 60 * 60 * 1000;
const keySetAt = '2026-01-05T10:00:00.000Z';
const setAt = Date.parse(keySetAt);

describe('the end of a key', () => {
  for (const [expiration, after, expected] of [
    ['30d', 0, [30, 'later']],
    ['30d', 22.9 * day, [8, 'later']],
    ['30d', 23 * day, [7, 'soon']],
    ['30d', 29.9 * day, [1, 'soon']],
    ['30d', 30 * day, [0, 'ended']],
    ['30d', 33 * day, [-3, 'ended']],
    ['90d', 88 * day, [2, 'soon']],
    ['1y', 360 * day, [5, 'soon']],
  ] as const) {
    it(`${expiration}, ${after / day} days after it was set: ${expected.join(' ')}`, () => {
      const expiry = keyExpiry({ expiration, keySetAt }, setAt + after);
      assert.deepEqual([expiry?.daysLeft, expiry?.stage], expected);
    });
  }

  it('is unknown for a key that never ends, of unknown age or with an age that cannot be read', () => {
    assert.equal(keyExpiry({ expiration: 'never', keySetAt }, setAt), undefined);
    assert.equal(keyExpiry({ keySetAt }, setAt), undefined);
    assert.equal(keyExpiry({ expiration: '30d' }, setAt), undefined);
    assert.equal(keyExpiry({ expiration: '30d', keySetAt: 'yesterday' }, setAt), undefined);
  });
});

describe('the reminder', () => {
  const due = (after: number, last?: { keySetAt: string; at: number }) =>
    isReminderDue({ expiration: '30d', keySetAt }, last, setAt + after);

  it('comes within a week before and after the end', () =>
    assert.deepEqual(
      [22, 23, 30, 37, 38].map((days) => due(days * day)),
      [false, true, true, true, false],
    ));

  it('comes once in a day, and anew for another key', () => {
    const last = { keySetAt, at: setAt + 25 * day };
    assert.equal(due(26 * day - 1, last), false);
    assert.equal(due(26 * day, last), true);
    assert.equal(due(25 * day, { ...last, keySetAt: '2026-01-01T00:00:00.000Z' }), true);
  });
});
