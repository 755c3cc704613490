// Which execution of several is the newest, in whatever order they are added.
import assert from 'node:assert/strict';
import { NewestExecutions } from '../../../src/model/executions/connectionExecutions.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute));

describe('the newest execution by a key', () => {
  let newest: NewestExecutions;
  beforeEach(() => (newest = new NewestExecutions()));

  it('is the one that was created last, and the one added last where no time tells', () => {
    assert.equal(newest.add('w', { id: 'e2', createdAt: at(2), startedAt: null }), true);
    assert.equal(newest.add('w', { id: 'e1', createdAt: at(1), startedAt: null }), false);
    assert.equal(newest.find('w'), 'e2');
    assert.equal(newest.add('other', { id: 'x1', createdAt: null, startedAt: null }), true);
    assert.equal(newest.add('other', { id: 'x2', createdAt: null, startedAt: null }), true);
    assert.equal(newest.find('other'), 'x2');
  });

  it('is the one that started last where a service tells no other time', () => {
    newest.add('w', { id: 'e1', createdAt: at(1), startedAt: null });
    assert.equal(newest.add('w', { id: 'e2', createdAt: null, startedAt: at(2) }), true);
    assert.equal(newest.add('w', { id: 'e0', createdAt: null, startedAt: at(0) }), false);
    assert.equal(newest.find('w'), 'e2');
  });

  it('takes its time anew when it is added again, as the time of a start was that of another clock', () => {
    newest.add('w', { id: 'e1', createdAt: at(30), startedAt: null });
    assert.equal(newest.add('w', { id: 'e1', createdAt: at(1), startedAt: null }), false);
    assert.equal(newest.add('w', { id: 'e2', createdAt: at(2), startedAt: null }), true);
    assert.equal(newest.find('w'), 'e2');
  });

  it('is forgotten only where it is the newest one', () => {
    newest.add('w', { id: 'e1', createdAt: at(1), startedAt: null });
    newest.forget('w', 'e0');
    assert.equal(newest.find('w'), 'e1');
    newest.forget('w', 'e1');
    assert.equal(newest.find('w'), undefined);
  });
});
