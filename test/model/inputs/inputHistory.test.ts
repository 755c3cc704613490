// What was executed can be taken again, and what is kept of it stays within bounds.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { InputDrafts } from '../../../src/model/inputs/inputDrafts.ts';
import { InputHistory, rememberInput } from '../../../src/model/inputs/inputHistory.ts';
import { HandClock, MemoryState } from '../../support/memory/ports.ts';

const keyPrefix = (): string => 'svc_sk_';
const target = { connectionId: 'c1', workflowId: 'w1' };

describe('the history of inputs', () => {
  it('has the newest first and equal inputs once, also in the next session', async () => {
    const state = new MemoryState();
    const clock = new HandClock();
    const history = new InputHistory(state, clock, keyPrefix);
    await history.record(target, { a: 1, b: 2 });
    await clock.advance(1000);
    await history.record(target, { a: 2 });
    await clock.advance(1000);
    await history.record(target, { b: 2, a: 1 });
    assert.deepEqual(new InputHistory(state, clock, keyPrefix).read(target), [
      { input: { b: 2, a: 1 }, usedAt: clock.now(), hasMaskedKey: false },
      { input: { a: 2 }, usedAt: clock.now() - 1000, hasMaskedKey: false },
    ]);
  });

  it('tells of which workflow something was recorded, and keeps workflows and connections apart', async () => {
    const history = new InputHistory(new MemoryState(), new HandClock(), keyPrefix);
    const heard: unknown[] = [];
    history.onDidChange((changed) => heard.push(changed));
    await history.record(target, { a: 1 });
    await history.record({ ...target, connectionId: 'c2' }, { a: 2 });
    assert.deepEqual(heard, [target, { ...target, connectionId: 'c2' }]);
    assert.deepEqual(
      history.read(target).map(({ input }) => input),
      [{ a: 1 }],
    );
  });

  it('keeps 20 inputs of 50 workflows, none larger than 64 Ki characters, 512 Ki in all', async () => {
    const state = new MemoryState();
    const history = new InputHistory(state, new HandClock(), keyPrefix);
    for (let at = 0; at < 25; at += 1) await history.record(target, { at });
    assert.deepEqual(
      history.read(target).map(({ input }) => input['at']),
      Array.from({ length: 20 }, (_, at) => 24 - at),
    );
    await history.record(target, { text: 'x'.repeat(64 * 1024) });
    assert.deepEqual(history.read(target)[0]?.input, { at: 24 });
    for (let at = 0; at < 50; at += 1) await history.record({ ...target, workflowId: `n${at}` }, { at });
    assert.deepEqual(history.read(target), []);
    assert.equal(history.read({ ...target, workflowId: 'n0' }).length, 1);
    for (let at = 0; at < 40; at += 1)
      await history.record({ ...target, workflowId: `l${at}` }, { text: 'x'.repeat(60_000) });
    assert.ok(state.text.length < 530 * 1024);
    assert.equal(history.read({ ...target, workflowId: 'l39' }).length, 1);
    assert.deepEqual(history.read({ ...target, workflowId: 'l0' }), []);
  });

  it('keeps the newest inputs of a workflow whose inputs are more than 512 Ki characters', async () => {
    const history = new InputHistory(new MemoryState(), new HandClock(), keyPrefix);
    for (let at = 0; at < 10; at += 1) await history.record(target, { at, text: 'x'.repeat(60_000) });
    assert.deepEqual(
      history.read(target).map(({ input }) => input['at']),
      [9, 8, 7, 6, 5, 4, 3, 2],
    );
  });

  it('masks keys before anything is stored, and says so', async () => {
    const state = new MemoryState();
    const key = ['svc', 'sk', 'ab12'.repeat(8)].join('_');
    const other = `corp-${'9'.repeat(20)}`;
    await state.set('inputHistory', [{ connectionId: 'c1', workflowId: 'w0', length: 50 }]);
    await state.set('inputHistory.["c1","w0"]', [{ text: JSON.stringify({ key }), usedAt: 1 }]);
    const history = new InputHistory(state, new HandClock(), () => 'corp-');
    assert.ok(!state.text.includes(key));
    assert.deepEqual(history.read({ ...target, workflowId: 'w0' })[0]?.input, { key: 'svc_sk_ab12…' });
    await history.record(target, { to: `Bearer ${key}\n${key}`, deep: [{ other }], [key]: 1 });
    await history.record(target, { name: 'Ada' });
    await history.record(target, { to: `Bearer ${key}\n${key}`, deep: [{ other }], [key]: 1 });
    assert.ok(!JSON.stringify(state.get('inputHistory.["c1","w1"]')).includes(key));
    assert.ok(!state.text.includes(other));
    assert.deepEqual(
      history.read(target).map(({ input, hasMaskedKey }) => ({ input, hasMaskedKey })),
      [
        {
          input: {
            to: 'Bearer svc_sk_ab12…\nsvc_sk_ab12…',
            deep: [{ other: 'corp-9999…' }],
            'svc_sk_ab12…': 1,
          },
          hasMaskedKey: true,
        },
        { input: { name: 'Ada' }, hasMaskedKey: false },
      ],
    );
  });

  it('forgets with the connection', async () => {
    const state = new MemoryState();
    const history = new InputHistory(state, new HandClock(), keyPrefix);
    await history.record(target, { a: 'forgotten' });
    await history.record({ ...target, connectionId: 'c2' }, { a: 2 });
    await history.forget('c1');
    assert.deepEqual(history.read(target), []);
    assert.equal(history.read({ ...target, connectionId: 'c2' }).length, 1);
    assert.ok(!state.text.includes('forgotten'));
  });

  it('reads past what is stored wrongly', async () => {
    const state = new MemoryState();
    const history = new InputHistory(state, new HandClock(), keyPrefix);
    const entry = 'inputHistory.["c1","w1"]';
    await state.set('inputHistory', 'odd');
    await state.set(entry, [
      7,
      { text: '[]', usedAt: 1 },
      { text: '{', usedAt: 1 },
      { text: '{}', usedAt: 2 },
    ]);
    assert.deepEqual(history.read(target), [{ input: {}, usedAt: 2, hasMaskedKey: false }]);
    await history.record(target, { a: 1 });
    assert.equal(history.read(target).length, 2);
  });
});

class BrokenState extends MemoryState {
  isBroken = true;

  override set(...entry: Parameters<MemoryState['set']>): Promise<void> {
    return this.isBroken ? Promise.reject(new Error('The disk is full.')) : super.set(...entry);
  }
}

// A state that can't be written costs the memory of an input, not the execution that has begun.
describe('remembering an input', () => {
  it('that cannot be stored is logged once, and the next one is remembered', async () => {
    const state = new BrokenState();
    const drafts = new InputDrafts(state, keyPrefix);
    const history = new InputHistory(state, new HandClock(), keyPrefix);
    const logged: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => logged.push(message) };
    await rememberInput({ drafts, history, logger }, target, { name: 'Ada' });
    assert.deepEqual(logged, ["The input of an execution can't be remembered: Error: The disk is full."]);
    state.isBroken = false;
    await rememberInput({ drafts, history, logger }, target, { name: 'Bob' });
    assert.equal(logged.length, 1);
    assert.deepEqual(
      history.read(target).map(({ input }) => input),
      [{ name: 'Bob' }],
    );
    assert.match(drafts.read(target) ?? '', /Bob/);
  });
});
