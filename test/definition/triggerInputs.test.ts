// The schemas of inputs that are derived from the kinds of triggers.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { inputFaults } from '../../src/definition/inputSchema.ts';
import { schemaOfTriggers } from '../../src/definition/triggerInputs.ts';
import type { FormField, TriggerInput } from '../../src/domain/triggers.ts';

const field = (name: string, type: FormField['type'], change: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  type,
  options: [],
  isRequired: false,
  ...change,
});
const chat: TriggerInput = { kind: 'chat' };
const form: TriggerInput = {
  kind: 'form',
  fields: [
    field('name', 'text', { isRequired: true }),
    field('age', 'number'),
    field('size', 'choice', { options: ['S', 'L'] }),
    field('colors', 'choices', { options: ['red', 'blue'] }),
    field('photo', 'other'),
  ],
};
const posted: TriggerInput = { kind: 'webhook', hasBody: true, parameters: [] };
const pathed: TriggerInput = { kind: 'webhook', hasBody: true, parameters: ['userId'] };
const pathedRead: TriggerInput = { kind: 'webhook', hasBody: false, parameters: ['userId'] };

function faultsOf(inputs: readonly TriggerInput[], input: JsonObject): readonly string[] {
  const { schema } = schemaOfTriggers(inputs) ?? assert.fail();
  return inputFaults(schema, input).faults.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
}
const fits = (inputs: readonly TriggerInput[], input: JsonObject) =>
  assert.deepEqual(faultsOf(inputs, input), [], JSON.stringify(input));
const isRefused = (inputs: readonly TriggerInput[], input: JsonObject, place: RegExp) =>
  assert.match(faultsOf(inputs, input).join('; '), place, JSON.stringify(input));

describe('the schema of an input that is derived from the triggers', () => {
  it('of a chat requires the message', () => {
    fits([chat], { chatInput: 'hello' });
    fits([chat], { chatInput: 'hello', sessionId: 's', metadata: { a: 1 } });
    isRefused([chat], {}, /chatInput/);
    isRefused([chat], { chatInput: 7 }, /chatInput/);
    isRefused([chat], { chatInput: 'hello', sessionId: 7 }, /sessionId/);
  });

  it('of a form has the fields with their types, and accepts unknown ones', () => {
    fits([form], { name: 'Ada', age: 36, size: 'S', colors: ['red'], photo: {}, more: true });
    isRefused([form], { age: 36 }, /name/);
    isRefused([form], { name: 'Ada', age: 'old' }, /age/);
    isRefused([form], { name: 'Ada', size: 'M' }, /size/);
    isRefused([form], { name: 'Ada', colors: ['green'] }, /colors/);
    assert.equal(schemaOfTriggers([{ kind: 'form', fields: [] }]), undefined);
  });

  it('of a path with parameters requires their values', () => {
    fits([pathed], { body: 'text', params: { userId: 7 } });
    fits([pathed], { body: null, query: { a: '1' }, params: { userId: 'x' } });
    isRefused([pathed], { userId: 'x' }, /params/);
    isRefused([pathed], { body: {}, params: {} }, /userId/);
    isRefused([pathed], { body: {}, params: { userId: '' } }, /userId/);
    fits([pathedRead], { query: {}, params: { userId: 'x' } });
    isRefused([pathedRead], { params: { userId: 'x' } }, /query/);
  });

  it('of a webhook accepts anything, and describes the query', () => {
    fits([posted], { any: 'thing', query: 'text' });
    const told = schemaOfTriggers([posted]);
    assert.equal(told?.isOpen, true);
    assert.match(JSON.stringify(told.schema), /"query":\{"description":"The query of the address\."\}/);
    assert.equal(schemaOfTriggers([{ kind: 'webhook', hasBody: false, parameters: [] }]), undefined);
    assert.equal(schemaOfTriggers([]), undefined);
  });

  it('of several triggers accepts what one of them accepts', () => {
    fits([chat, form], { chatInput: 'hello' });
    fits([chat, form], { name: 'Ada' });
    isRefused([chat, form], { age: 7 }, /./);
    fits([chat, posted], { any: 'thing' });
    assert.deepEqual(
      [schemaOfTriggers([chat, form])?.isOpen, schemaOfTriggers([chat, posted])?.isOpen],
      [false, true],
    );
  });
});
