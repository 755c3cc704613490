import assert from 'node:assert/strict';
import { LogPosition } from '../../../src/api/stream/logPosition.ts';
import { makeNodeLog } from '../../support/memory/records.ts';

const row = (number: number, message = 'same') => makeNodeLog(number, { message });
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => row(from + index));

describe('the position in a log', () => {
  it('recognizes the latest 20,000 rows, however many came before, and forgets the oldest', () => {
    const position = new LogPosition(undefined);
    assert.equal(position.take(rows(0, 70_000)).length, 70_000);
    assert.deepEqual(position.take(rows(50_000, 70_000)), []);
    assert.equal(position.take([row(0)]).length, 1);
  });

  it('hands on a row that changed under the same key, also one of long ago, and then no more', () => {
    const position = new LogPosition(undefined);
    position.take(rows(0, 30_000));
    assert.equal(position.take([row(5, 'changed')]).length, 1);
    assert.equal(position.take([row(5, 'changed')]).length, 0);
    assert.equal(position.take([row(5)]).length, 1);
  });
});
