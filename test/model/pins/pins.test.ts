// Pins are the user's work: what is stored comes back, has a bound, and is never dropped for another one.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/base/json.ts';
import { Pins } from '../../../src/model/pins/pins.ts';
import { targetName, type WorkflowTarget } from '../../../src/domain/targets.ts';
import { MemoryState } from '../../support/memory/ports.ts';

const orders = { connectionId: 'local', workflowId: 'orders' };
const answers = { connectionId: 'local', workflowId: 'answers' };
const remote = { connectionId: 'remote', workflowId: 'orders' };

describe('pins', () => {
  const state = new MemoryState();
  const open = () => new Pins(state, () => 'key_');
  let pins: Pins;
  const valuesOf = (target: WorkflowTarget, of = pins) =>
    Object.fromEntries(of.list(target).map(({ nodeId, value }) => [nodeId, value]));

  beforeEach(async () => {
    await state.set('pins', undefined);
    pins = open();
  });

  it('are kept for the workspace, by workflow and node', async () => {
    const values: readonly JsonValue[] = [42, null, false, '', [], { total: [1, { deep: 'x' }] }];
    for (const [at, value] of values.entries()) {
      assert.equal(await pins.set(orders, `n${at}`, value), 'pinned');
      assert.equal(await pins.set(remote, `n${at}`, [value]), 'pinned');
    }
    const again = open();
    assert.deepEqual(Object.values(valuesOf(orders, again)), values);
    assert.deepEqual(valuesOf(remote, again)['n0'], [42]);
    assert.deepEqual(valuesOf(answers, again), {});
    assert.deepEqual(again.find(orders, 'n5')?.value, values[5]);
  });

  it('are an output or the answers to a request, and one takes the place of the other', async () => {
    const given = [{ status: 503 }, { error: 'timeout' }];
    await pins.set(orders, 'a', given, 'answers');
    const stored = open();
    assert.deepEqual(stored.find(orders, 'a')?.kind, 'answers');
    assert.deepEqual(stored.find(orders, 'a')?.value, given);
    await stored.move(orders, 'a', 'b');
    assert.equal(stored.find(orders, 'b')?.kind, 'answers');
    await stored.set(orders, 'b', 7);
    assert.deepEqual(
      open()
        .list(orders)
        .map(({ nodeId, kind, value }) => [nodeId, kind, value]),
      [['b', 'output', 7]],
    );
    // As an earlier version stored them.
    await state.set('pins', [{ ...orders, nodeId: 'old', text: '1' }]);
    assert.equal(open().find(orders, 'old')?.kind, 'output');
  });

  it('keep their place when they change, and tell whose have changed', async () => {
    const told: string[] = [];
    pins.onDidChange((target) => told.push(targetName(target)));
    await pins.set(orders, 'a', 1);
    await pins.set(orders, 'b', 2);
    await pins.set(orders, 'a', 3);
    await pins.remove(orders, ['b']);
    await pins.remove(orders, ['b', 'never pinned']);
    assert.deepEqual(valuesOf(orders), { a: 3 });
    assert.deepEqual(told, Array(4).fill(targetName(orders)));
    await pins.remove(orders, ['a']);
    assert.equal(state.get('pins'), undefined);
  });

  it('move to another id of their node and keep their place; one that is there changes places', async () => {
    for (const id of ['a', 'b', 'c']) await pins.set(orders, id, id);
    await pins.set(answers, 'a', 'other');
    await pins.move(orders, 'a', 'new');
    await pins.move(orders, 'never pinned', 'b');
    assert.deepEqual(Object.entries(valuesOf(orders, open())), [
      ['new', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
    await pins.move(orders, 'new', 'c');
    assert.deepEqual(valuesOf(orders, open()), { c: 'a', b: 'b', new: 'c' });
    assert.deepEqual(valuesOf(answers), { a: 'other' });
  });

  it('are refused where there is no room, and none is lost for it', async () => {
    const large = (length: number) => 'x'.repeat(length - 2);
    assert.equal(await pins.set(orders, 'most', large(128 * 1024)), 'pinned');
    assert.equal(await pins.set(orders, 'more', large(128 * 1024 + 1)), 'tooLarge');
    assert.equal(await pins.set(answers, 'second', large(128 * 1024)), 'pinned');
    assert.equal(await pins.set(remote, 'third', large(128 * 1024)), 'pinned');
    assert.equal(await pins.set(remote, 'fourth', 1), 'full');
    assert.equal(await pins.set(remote, 'third', large(1024)), 'pinned');
    assert.equal(await pins.set(remote, 'fourth', 1), 'pinned');
    const again = open();
    assert.deepEqual(
      [orders, answers, remote].map((target) => again.list(target).map(({ nodeId }) => nodeId)),
      [['most'], ['second'], ['third', 'fourth']],
    );
  });

  it('never store a key', async () => {
    const keys = ['svc_sk_0123456789abcdefghij', 'key_0123456789abcdefghij'];
    assert.equal(await pins.set(orders, 'a', { note: `first ${keys[0]}\nthen ${keys[1]}` }), 'keysMasked');
    assert.deepEqual(valuesOf(orders), { a: { note: 'first svc_sk_0123…\nthen key_0123…' } });
    assert.ok(!state.text.includes('456789'));
  });

  it('go with their workflow and their connection', async () => {
    for (const target of [orders, answers, remote]) await pins.set(target, 'a', 1);
    await pins.forget(answers);
    assert.deepEqual(
      [orders, answers, remote].map((target) => pins.list(target).length),
      [1, 0, 1],
    );
    await pins.forget({ connectionId: 'local' });
    assert.deepEqual(
      [orders, answers, remote].map((target) => open().list(target).length),
      [0, 0, 1],
    );
  });

  it('are read also beside records that are damaged', async () => {
    await state.set('pins', [
      null,
      { ...orders, nodeId: 'no text' },
      { ...orders, nodeId: 'not JSON', text: '{' },
      { ...orders, nodeId: 'a', text: '[1]' },
    ]);
    assert.deepEqual(valuesOf(orders, open()), { a: [1] });
  });
});
