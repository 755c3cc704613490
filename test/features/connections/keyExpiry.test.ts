// When a key ends, when it is spoken of, and with which words.
import assert from 'node:assert/strict';
import { ObservableValue } from '../../../src/base/event.ts';
import type { Connection } from '../../../src/domain/connection.ts';
import { renderConnection } from '../../../src/features/connections/connectionRows.ts';
import { createExpiryReminder } from '../../../src/features/connections/notices.ts';
import { isReminderDue, keyExpiry } from '../../../src/features/connections/keyExpiry.ts';
import { MemoryState } from '../../support/memory/ports.ts';
import { messages } from '../../support/vscodeStandIn.ts';

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

const now = setAt + 100 * day;

/** A connection whose key of 30 days was set some days before `now`. */
function connectionOf(ageInDays: number): Connection {
  const address = { kind: 'remote', baseUrl: 'https://service.example/v1' } as const;
  const setAgo = new Date(now - ageInDays * day).toISOString();
  return { id: 'c', name: 'Billing', ...address, expiration: '30d', keySetAt: setAgo };
}

describe('the row of a connection', () => {
  for (const [age, words] of [
    [10, 'active · https://service.example/v1'],
    [25, 'active · key expires in 5 days · https://service.example/v1'],
    [29.5, 'active · key expires within a day · https://service.example/v1'],
    [31, 'active · key expired · https://service.example/v1'],
  ] as const) {
    it(`says, ${age} days after a key of 30 days was set: ${words}`, () => {
      const about = { isActive: true, isRunning: false, isStarting: false, now };
      assert.equal(renderConnection(connectionOf(age), about).description, words);
    });
  }
});

describe('the warning of a key that ends', () => {
  it('is shown once in a day, and not for one that ends later', () => {
    const globalState = new MemoryState();
    const all = new ObservableValue<readonly Connection[]>([
      connectionOf(25),
      { ...connectionOf(3), id: 'fresh', name: 'Fresh' },
    ]);
    messages.troubles.length = 0;
    const start = () =>
      createExpiryReminder({ connections: { all }, globalState, clock: { now: () => now } });
    start().dispose();
    start().dispose();
    assert.equal(messages.troubles.length, 1);
    assert.match(messages.troubles[0] ?? '', /^The API key of "Billing" expires in 5 days/);
    assert.deepEqual(globalState.get('keyReminders'), {
      c: { keySetAt: connectionOf(25).keySetAt, at: now },
    });
  });
});
