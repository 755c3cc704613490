// What the user typed is kept within bounds and never replaced.
import assert from 'node:assert/strict';
import { InputDrafts } from '../../../src/model/inputs/inputDrafts.ts';
import { MemoryState } from '../../support/memory/ports.ts';

const keyPrefix = (): string => 'svc_sk_';
const target = { connectionId: 'c1', workflowId: 'w1' };

describe('input drafts', () => {
  it('keeps the text as typed, also after an execution and in the next session', async () => {
    const state = new MemoryState();
    const drafts = new InputDrafts(state, keyPrefix);
    assert.equal(drafts.read(target), undefined);
    await drafts.recordInput(target, { name: 'Ada' });
    assert.equal(drafts.read(target), '{\n  "name": "Ada"\n}\n');
    await drafts.save(target, '{ "half');
    await drafts.recordInput(target, { name: 'Bob' });
    assert.equal(new InputDrafts(state, keyPrefix).read(target), '{ "half');
  });

  it('stores a text also after an execution with a long input', async () => {
    const state = new MemoryState();
    const drafts = new InputDrafts(state, keyPrefix);
    await drafts.recordInput(target, { text: 'x'.repeat(60_000) });
    await drafts.save(target, 'y'.repeat(10_000));
    await drafts.recordInput(target, { text: 'x'.repeat(60_000) });
    assert.equal(new InputDrafts(state, keyPrefix).read(target), 'y'.repeat(10_000));
  });

  it('keeps the trigger that was chosen beside the text, also in the next session', async () => {
    const state = new MemoryState();
    const drafts = new InputDrafts(state, keyPrefix);
    assert.equal(drafts.trigger(target), undefined);
    await drafts.chooseTrigger(target, 'Other');
    assert.equal(drafts.read(target), undefined);
    await drafts.save(target, '{ "half');
    await drafts.recordInput(target, { name: 'Ada' });
    const later = new InputDrafts(state, keyPrefix);
    assert.deepEqual([later.trigger(target), later.read(target)], ['Other', '{ "half']);
    assert.equal(later.trigger({ ...target, workflowId: 'w2' }), undefined);
  });

  it('keeps connections and workflows apart, and forgets those of one connection', async () => {
    const state = new MemoryState();
    const drafts = new InputDrafts(state, keyPrefix);
    await drafts.save(target, 'one');
    await drafts.save({ ...target, connectionId: 'c2' }, 'two');
    await drafts.save({ ...target, workflowId: 'w2' }, 'three');
    assert.equal(drafts.read(target), 'one');
    assert.equal(drafts.read({ ...target, workflowId: 'w2' }), 'three');
    await drafts.forget(target.connectionId);
    assert.equal(drafts.read(target), undefined);
    assert.equal(drafts.read({ ...target, connectionId: 'c2' }), 'two');
    assert.doesNotMatch(state.text, /one|three/);
  });

  it('stores the 50 last used, and a huge one only for this window', async () => {
    const state = new MemoryState();
    const drafts = new InputDrafts(state, keyPrefix);
    for (let at = 0; at < 60; at += 1) await drafts.save({ ...target, workflowId: `w${at}` }, `text ${at}`);
    assert.equal(drafts.read({ ...target, workflowId: 'w9' }), undefined);
    assert.equal(drafts.read({ ...target, workflowId: 'w10' }), 'text 10');
    const huge = 'x'.repeat(65_537);
    await drafts.save({ ...target, workflowId: 'w10' }, huge);
    assert.equal(drafts.read({ ...target, workflowId: 'w10' }), huge);
    assert.equal(new InputDrafts(state, keyPrefix).read({ ...target, workflowId: 'w10' }), undefined);
    assert.ok(state.text.length < 65_536);
  });

  it('keeps a key for this window only; what is stored has it masked', async () => {
    const state = new MemoryState();
    const key = ['svc', 'sk', 'ab12'.repeat(8)].join('_');
    await state.set('inputDrafts', [{ ...target, lastInput: `{"of":"an earlier version","key":"${key}"}` }]);
    const drafts = new InputDrafts(state, keyPrefix);
    assert.match(state.text, /an earlier version/);
    assert.ok(!state.text.includes(key));
    assert.equal(await drafts.save(target, 'no key'), 'whole');
    assert.equal(await drafts.save(target, `{ "key": "${key}", "half`), 'keysMasked');
    await drafts.recordInput({ ...target, workflowId: 'w2' }, { key });
    assert.equal(drafts.read(target), `{ "key": "${key}", "half`);
    assert.match(drafts.read({ ...target, workflowId: 'w2' }) ?? '', new RegExp(key));
    assert.ok(!state.text.includes(key));
    assert.equal(new InputDrafts(state, keyPrefix).read(target), '{ "key": "svc_sk_ab12…", "half');
  });

  it('stores 256 Ki characters in all, of those last used', async () => {
    const state = new MemoryState();
    const drafts = new InputDrafts(state, keyPrefix);
    const text = 'x'.repeat(60_000);
    for (let at = 0; at < 10; at += 1) await drafts.save({ ...target, workflowId: `w${at}` }, text);
    assert.ok(state.text.length < 260 * 1024);
    assert.equal(drafts.read({ ...target, workflowId: 'w9' }), text);
    assert.equal(drafts.read({ ...target, workflowId: 'w5' }), undefined);
  });

  it('reads past what is stored wrongly', async () => {
    const state = new MemoryState();
    await state.set('inputDrafts', [3, { ...target, text: 5 }, { ...target, text: 'kept' }]);
    assert.equal(new InputDrafts(state, keyPrefix).read(target), 'kept');
  });
});
