// Why: what the user typed is kept within bounds and never replaced, and nothing but one JSON object is an input.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { createInputDrafts, defaultInputText, parseInput } from '../../src/model/inputDrafts.ts';
import { MemoryState } from '../support/memory/ports.ts';
import { workflowReading } from '../support/memory/readings.ts';

const target = { connectionId: 'c1', workflowId: 'w1' };

describe('input drafts', () => {
  it('keeps the text as typed, also after an execution and in the next session', async () => {
    const state = new MemoryState();
    const drafts = createInputDrafts(state);
    assert.equal(drafts.read(target), undefined);
    await drafts.recordInput(target, { name: 'Ada' });
    assert.equal(drafts.read(target), '{\n  "name": "Ada"\n}\n');
    await drafts.save(target, '{ "half');
    await drafts.recordInput(target, { name: 'Bob' });
    assert.equal(createInputDrafts(state).read(target), '{ "half');
  });

  it('keeps connections and workflows apart, and forgets one alone', async () => {
    const drafts = createInputDrafts(new MemoryState());
    await drafts.save(target, 'one');
    await drafts.save({ ...target, connectionId: 'c2' }, 'two');
    await drafts.save({ ...target, workflowId: 'w2' }, 'three');
    await drafts.forget(target);
    assert.equal(drafts.read(target), undefined);
    assert.equal(drafts.read({ ...target, connectionId: 'c2' }), 'two');
    assert.equal(drafts.read({ ...target, workflowId: 'w2' }), 'three');
  });

  it('stores the 50 last used, and a huge one only for this window', async () => {
    const state = new MemoryState();
    const drafts = createInputDrafts(state);
    for (let at = 0; at < 60; at += 1) await drafts.save({ ...target, workflowId: `w${at}` }, `text ${at}`);
    assert.equal(drafts.read({ ...target, workflowId: 'w9' }), undefined);
    assert.equal(drafts.read({ ...target, workflowId: 'w10' }), 'text 10');
    const huge = 'x'.repeat(65_537);
    await drafts.save({ ...target, workflowId: 'w10' }, huge);
    assert.equal(drafts.read({ ...target, workflowId: 'w10' }), huge);
    assert.equal(createInputDrafts(state).read({ ...target, workflowId: 'w10' }), undefined);
    assert.ok(state.text.length < 65_536);
  });

  it('reads past what is stored wrongly', async () => {
    const state = new MemoryState();
    await state.set('inputDrafts', [3, { ...target, text: 5 }, { ...target, text: 'kept' }]);
    assert.equal(createInputDrafts(state).read(target), 'kept');
  });
});

describe('parsing an input', () => {
  it('takes one JSON object', () => {
    assert.deepEqual(parseInput(' {"a": [1]} '), { kind: 'input', input: { a: [1] } });
  });
  for (const text of ['', '{', '{"a":1,}', '{} {}', "{'a':1}"]) {
    it(`refuses ${JSON.stringify(text)} with the parser's reason`, () => {
      const parsed = parseInput(text);
      assert.equal(parsed.kind, 'notJson');
      assert.ok('message' in parsed && parsed.message !== '');
    });
  }
  for (const text of ['null', '[]', '"a"', '7', 'true']) {
    it(`refuses ${text}, which is no object`, () => {
      assert.deepEqual(parseInput(text), { kind: 'notObject' });
    });
  }
});

describe('the first text of an input document', () => {
  const table: readonly (readonly [string, JsonObject, object])[] = [
    ['the example', { examples: [{ name: 'Ada' }], default: { name: 'Bob' } }, { name: 'Ada' }],
    ['the default', { default: { name: 'Bob' } }, { name: 'Bob' }],
    [
      'what its members suggest',
      { properties: { name: { examples: ['Ada'] }, count: { default: 0 }, other: {}, odd: true } },
      { name: 'Ada', count: 0 },
    ],
    ['an empty object', { type: 'object' }, {}],
  ];
  for (const [what, inputSchema, expected] of table) {
    it(`is ${what}`, () => {
      const nodes = [
        { id: 'n0', type: 'log' },
        { id: 'n1', type: 'trigger', config: { inputSchema } },
      ];
      assert.deepEqual(JSON.parse(defaultInputText(workflowReading('w1', { raw: { nodes } }))), expected);
      const raw = { definition: { nodes: [{ type: 'trigger', inputSchema }] } };
      assert.deepEqual(JSON.parse(defaultInputText(workflowReading('w1', { raw }))), expected);
    });
  }

  it('is an empty object without a definition', () => {
    assert.equal(defaultInputText(undefined), '{}\n');
    assert.equal(defaultInputText(workflowReading('w1', { raw: { nodes: 'odd' } })), '{}\n');
  });
});
