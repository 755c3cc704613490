// A shared read must serve all who asked, and end only when none of them is left.
import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/base/async.ts';
import { SharedReads } from '../../../src/api/request/sharedReads.ts';
import { settle } from '../../support/memory/ports.ts';

const forever = new AbortController().signal;

describe('shared reads', () => {
  let reads: SharedReads<string>;
  let flights: { readonly signal: AbortSignal; resolve(value: string): void; reject(error: Error): void }[];
  const start = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    flights.push({ signal, resolve, reject });
    return promise;
  };
  beforeEach(() => {
    reads = new SharedReads();
    flights = [];
  });

  it('joins an equal read in flight', async () => {
    const both = [reads.read('a', 'user', forever, start), reads.read('a', 'user', forever, start)];
    flights[0]?.resolve('x');
    assert.deepEqual(await Promise.all(both), ['x', 'x']);
    assert.equal(flights.length, 1);
  });

  it('does not join another read, nor one that has ended, well or not', async () => {
    void reads.read('a', 'user', forever, start);
    void reads.read('b', 'user', forever, start);
    assert.equal(flights.length, 2);
    flights[0]?.resolve('x');
    await settle();
    const third = reads.read('a', 'user', forever, start);
    flights[2]?.reject(new Error('no'));
    await assert.rejects(third, /no/);
    void reads.read('a', 'user', forever, start);
    assert.equal(flights.length, 4);
  });

  it('is cancelled when all callers are, not before', async () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const first = reads.read('a', 'user', one.signal, start);
    const second = reads.read('a', 'user', two.signal, start);
    one.abort();
    await assert.rejects(first, isAbortError);
    const isAborted = (): boolean | undefined => flights[0]?.signal.aborted;
    assert.equal(isAborted(), false);
    two.abort();
    await assert.rejects(second, isAbortError);
    assert.equal(isAborted(), true);
    void reads.read('a', 'user', forever, start);
    assert.equal(flights.length, 2);
  });

  it('goes on for those who did not see its wait, where the user cancels that', async () => {
    const attended = reads.read('a', 'attended', forever, start);
    const other = reads.read('a', 'background', forever, start);
    flights[0]?.reject(new DOMException('Cancelled', 'AbortError'));
    await assert.rejects(attended, isAbortError);
    await settle();
    flights[1]?.resolve('x');
    assert.equal(await other, 'x');
    assert.equal(flights.length, 2);
  });

  it('does not hold the user up behind a read in the background', async () => {
    void reads.read('a', 'background', forever, start);
    const user = reads.read('a', 'user', forever, start);
    const late = reads.read('a', 'background', forever, start);
    assert.equal(flights.length, 2);
    flights[1]?.resolve('fresh');
    assert.deepEqual(await Promise.all([user, late]), ['fresh', 'fresh']);
  });

  it('does not have the user wait with one that nobody sees waiting', async () => {
    const unseen = reads.read('a', 'user', forever, start);
    const seen = reads.read('a', 'attended', forever, start);
    const joined = reads.read('a', 'user', forever, start);
    assert.equal(flights.length, 2);
    flights[1]?.resolve('y');
    assert.deepEqual(await Promise.all([seen, joined]), ['y', 'y']);
    flights[0]?.resolve('x');
    assert.equal(await unseen, 'x');
  });

  it('starts anew after a change, and the older read takes nothing away', async () => {
    void reads.read('a', 'user', forever, start);
    reads.detach();
    const second = reads.read('a', 'user', forever, start);
    flights[0]?.resolve('old');
    await settle();
    const third = reads.read('a', 'user', forever, start);
    assert.equal(flights.length, 2);
    flights[1]?.resolve('new');
    assert.deepEqual(await Promise.all([second, third]), ['new', 'new']);
  });

  it('starts nothing for who has cancelled already', async () => {
    const cancelled = AbortSignal.abort();
    await assert.rejects(reads.read('a', 'user', cancelled, start), isAbortError);
    assert.equal(flights.length, 0);
  });
});
