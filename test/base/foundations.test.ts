// Ownership, events and JSON comparison carry everything above them.
import assert from 'node:assert/strict';
import { isAbortError } from '../../src/base/async.ts';
import { DisposableStore, toDisposable } from '../../src/base/disposable.ts';
import { Emitter, ObservableValue } from '../../src/base/event.ts';
import { equalJson, isJsonObject, parseJson, readJson } from '../../src/base/json.ts';
import { systemClock, wait } from '../../src/base/time.ts';
import { catchUncaught } from '../support/uncaught.ts';

describe('disposables', () => {
  it('are let go of once, the last one first, and at once when they come too late', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    const item = (name: string) => toDisposable(() => order.push(name));
    store.add(item('first'));
    const removed = store.add(item('removed'));
    store.add(item('last'));
    store.delete(removed);
    store.dispose();
    store.dispose();
    removed.dispose();
    store.add(item('late'));
    assert.deepEqual(order, ['removed', 'last', 'first', 'late']);
  });
});

describe('events', () => {
  it('reach every listener even when one throws, whose error is an uncaught one, and none that has left', async () => {
    const heard: string[] = [];
    const emitter = new Emitter<string>();
    const broken = new Error('broken');
    emitter.event(() => {
      throw broken;
    });
    emitter.event((value) => heard.push(`a ${value}`));
    const leaving = emitter.event((value) => heard.push(`b ${value}`));
    leaving.dispose();
    const uncaught = await catchUncaught(() => {
      emitter.fire('now');
      heard.push('sent');
    });
    assert.deepEqual([heard, uncaught], [['a now', 'sent'], [broken]]);
  });

  it('tell of a new value only when it is another one', () => {
    const value = new ObservableValue(1);
    const heard: number[] = [];
    value.onDidChange((next) => heard.push(next));
    value.set(1);
    value.set(2);
    assert.deepEqual([value.current, heard], [2, [2]]);
  });
});

describe('JSON', () => {
  for (const [left, right, isEqual] of [
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1, c: 2 }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, {}, false],
    ['1', 1, false],
  ] as const) {
    it(`${JSON.stringify(left)} ${isEqual ? 'equals' : 'differs from'} ${JSON.stringify(right)}`, () =>
      assert.equal(equalJson(left, right), isEqual));
  }

  it('is undefined when it cannot be parsed, and an object only when it is one', () => {
    assert.equal(parseJson('{'), undefined);
    assert.deepEqual([{}, [], null, 'x'].map(isJsonObject), [true, false, false, false]);
  });

  const nested = (depth: number, inner = '1'): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

  it('is read up to 200 deep, whatever stands in its texts', () => {
    const texts = ['[[[{{{', '"[[{{', '\\', '\\"[', ''];
    const inner = JSON.stringify([...texts, ...Array.from({ length: 300 }, () => '[{')]);
    assert.equal(readJson(nested(200)).kind, 'value');
    assert.equal(readJson(nested(199, inner)).kind, 'value');
    assert.equal(readJson(nested(201)).kind, 'tooDeep');
    assert.equal(readJson(nested(200, inner)).kind, 'tooDeep');
    assert.equal(readJson(`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`).kind, 'tooDeep');
    assert.equal(readJson(`[${'[],'.repeat(1000)}{}]`).kind, 'value');
    assert.equal(readJson(`"${'['.repeat(1000)}`).kind, 'notJson');
  });

  it('is refused when it is deeper, however deep: neither memory nor stack is used up', () => {
    for (const depth of [5000, 100_000, 5_000_000]) {
      assert.equal(readJson(nested(depth)).kind, 'tooDeep');
      assert.equal(parseJson(nested(depth)), undefined);
      assert.equal(readJson('['.repeat(depth)).kind, 'tooDeep');
    }
  });

  it('may wrap what is 200 deep, as a page of rows does', () => {
    assert.notEqual(parseJson(`{"data":[{"output":${nested(200)}}]}`), undefined);
    assert.equal(parseJson(nested(300)), undefined);
  });
});

describe('waiting', () => {
  it('ends at once, with the reason, when it is cancelled', async () => {
    const controller = new AbortController();
    const waiting = wait(systemClock, 60_000, controller.signal);
    controller.abort();
    await assert.rejects(waiting, isAbortError);
    await assert.rejects(wait(systemClock, 1, controller.signal), isAbortError);
  });
});
