// The item of the status bar is there while it is of use, and looks no more often than somebody can see.
import assert from 'node:assert/strict';
import { lookAt, nextLookMs } from '../../../src/features/connections/budgetItem.ts';

const state = (remaining: number, limit = 60) => ({ limit, remaining, pausedUntil: null });

describe('what the status bar says of the budget', () => {
  it('is nothing while there is plenty', () => {
    assert.equal(lookAt(state(60), 0, false), undefined);
    assert.equal(lookAt(state(20), 0, false), undefined);
  });

  it('is what is left below a third, and then until half is left', () => {
    assert.deepEqual(lookAt(state(19), 0, false), { kind: 'left', remaining: 19, limit: 60 });
    assert.deepEqual(lookAt(state(29), 0, true), { kind: 'left', remaining: 29, limit: 60 });
    assert.equal(lookAt(state(30), 0, true), undefined);
    assert.equal(lookAt({ limit: Infinity, remaining: Infinity, pausedUntil: null }, 0, false), undefined);
  });

  it('is when it goes on while a person would have to wait', () => {
    assert.deepEqual(lookAt(state(0), 14_000, false), { kind: 'resumes', inMs: 14_000 });
    assert.deepEqual(lookAt(state(50), 8000, false), { kind: 'resumes', inMs: 8000 });
  });

  it('is looked at each second of a countdown, each five seconds else, and once where nobody looks', () => {
    assert.equal(nextLookMs({ kind: 'resumes', inMs: 14_000 }, true), 1000);
    assert.equal(nextLookMs({ kind: 'resumes', inMs: 300 }, true), 300);
    assert.equal(nextLookMs({ kind: 'resumes', inMs: 14_000 }, false), 14_000);
    assert.equal(nextLookMs({ kind: 'left', remaining: 3, limit: 60 }, true), 5000);
    assert.equal(nextLookMs({ kind: 'left', remaining: 3, limit: 60 }, false), 60_000);
  });
});
