// What is kept of numbers has all their digits.
import assert from 'node:assert/strict';
import { stringifyJson } from '../../src/base/json.ts';
import { offeredSchema } from '../../src/model/inputs/boundedSchema.ts';
import { learnSchema } from '../../src/model/inputs/inputSchemas.ts';
import { InputHistory } from '../../src/model/inputs/inputHistory.ts';
import { parseInput, renderInput } from '../../src/model/inputs/inputText.ts';
import { Pins } from '../../src/model/pins/pins.ts';
import { parseDefinition, renderDefinition, toUpdate } from '../../src/model/workflows/workflowDefinition.ts';
import { longNumbers, longNumbersText, typed } from '../support/digits.ts';
import { HandClock, MemoryState } from '../support/memory/ports.ts';

const target = { connectionId: 'c', workflowId: 'w' };
const keyPrefix = (): string => 'svc_sk_';

describe('numbers beyond what JavaScript holds', () => {
  it('stay in the text of an input and of a definition', () => {
    const input = parseInput(longNumbersText);
    assert.ok(input);
    assert.equal(renderInput(input).replace(/\s/g, ''), longNumbersText);
    const text = `{"name":"A","nodes":[{"id":"a","config":${longNumbersText}}],"edges":[],"own":9007199254740993}`;
    const definition = parseDefinition(text, undefined);
    assert.ok(definition);
    assert.equal(renderDefinition(definition).replace(/\s/g, ''), text);
    const changed = typed(text.replace('9007199254740993}', '9007199254740992}'));
    assert.equal(stringifyJson(toUpdate(definition, changed)['own']), '9007199254740992');
  });

  it('stay in the history of inputs, where two that differ in a digit are two', async () => {
    const state = new MemoryState();
    const history = new InputHistory(state, new HandClock(), keyPrefix);
    await history.record(target, typed(longNumbersText));
    await history.record(target, typed('{"id":9007199254740993}'));
    await history.record(target, typed('{"id":9007199254740992}'));
    const read = new InputHistory(state, new HandClock(), keyPrefix).read(target);
    assert.deepEqual(
      read.map(({ input }) => stringifyJson(input)),
      ['{"id":9007199254740992}', '{"id":9007199254740993}', longNumbersText],
    );
  });

  it('stay in pins', async () => {
    const state = new MemoryState();
    await new Pins(state, keyPrefix).set(target, 'node', typed(longNumbersText));
    assert.equal(stringifyJson(new Pins(state, keyPrefix).find(target, 'node')?.value), longNumbersText);
  });

  it('are numbers to a schema that is learned', () => {
    const inputs = longNumbers.map((number) => typed(`{"n":${number}}`));
    assert.deepEqual(learnSchema(inputs)?.['properties'], { n: { type: 'number' } });
    assert.deepEqual(learnSchema([typed('{"n":9007199254740993}')])?.['properties'], {
      n: { type: 'integer' },
    });
    for (const fraction of ['9007199254740993.5', '0.1234567890123456789', '1e-400'])
      assert.deepEqual(
        learnSchema([typed(`{"n":${fraction}}`)])?.['properties'],
        { n: { type: 'number' } },
        fraction,
      );
    for (const whole of ['9007199254740993.00', '1e400', '1.0', '1e3'])
      assert.deepEqual(
        learnSchema([typed(`{"n":${whole}}`)])?.['properties'],
        { n: { type: 'integer' } },
        whole,
      );
  });

  it('are limits in a bounded schema that an editor can compare with, and offered with their digits', () => {
    const long = '9007199254740993';
    const schema = offeredSchema(
      typed(
        `{"minimum":${long},"properties":{"n":{"enum":[${long},[${long}]],"const":${long},"default":${long},"examples":[${long}]}}}`,
      ),
    );
    assert.equal(
      stringifyJson(schema),
      `{"minimum":9007199254740992,"properties":{"n":{"default":${long},"examples":[${long}],"enum":[9007199254740992,[9007199254740992]],"const":9007199254740992}}}`,
    );
  });
});
