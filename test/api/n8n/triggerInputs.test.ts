// What is read of a document of n8n about the inputs that its triggers take.
import assert from 'node:assert/strict';
import { decodeWholeWorkflow } from '../../../src/api/n8n/decode.ts';
import { readTriggerInputs } from '../../../src/api/n8n/triggerInputs.ts';
import type { JsonObject } from '../../../src/base/json.ts';

const node = (type: string, parameters: JsonObject = {}, typeVersion = 2): JsonObject => ({
  id: type,
  name: type,
  type: type === 'chatTrigger' ? `@n8n/n8n-nodes-langchain.${type}` : `n8n-nodes-base.${type}`,
  typeVersion,
  parameters,
});
const formOf = (values: JsonObject[], typeVersion?: number) =>
  readTriggerInputs({ nodes: [node('formTrigger', { formFields: { values } }, typeVersion)] });

describe('the inputs that triggers of n8n take', () => {
  it('are told for each kind of call, in the order of the document', () => {
    const nodes = [
      node('manualTrigger'),
      node('webhook', { path: 'users/:userId/orders/:order', httpMethod: ['GET', 'POST'] }),
      node('scheduleTrigger'),
      node('chatTrigger'),
      { ...node('webhook', { path: 'off' }), disabled: true },
    ];
    const parameters = ['userId', 'order'];
    assert.deepEqual(readTriggerInputs({ nodes }), [
      { kind: 'webhook', hasBody: false, parameters },
      { kind: 'webhook', hasBody: true, parameters },
      { kind: 'chat' },
    ]);
  });

  it('have the fields of a form by the names that its version gives them', () => {
    const values = [
      { fieldLabel: 'Your name', fieldName: 'name', requiredField: true },
      { fieldLabel: 'Age', fieldType: 'number' },
      { fieldLabel: 'Born', fieldType: 'date' },
      {
        fieldLabel: 'Size',
        fieldType: 'dropdown',
        fieldOptions: { values: [{ option: 'S' }, { option: 'L' }] },
      },
      {
        fieldLabel: 'Colors',
        fieldType: 'dropdown',
        multiselect: true,
        fieldOptions: { values: [{ option: 'red' }] },
      },
      { fieldLabel: 'Taste', fieldType: 'radio', fieldOptions: { values: [{ option: '={{ $json.x }}' }] } },
      { fieldLabel: 'Photo', fieldType: 'file', requiredField: true },
      { fieldType: 'html', html: '<p>' },
      { fieldLabel: '={{ $json.label }}' },
      { fieldName: 'campaign', fieldType: 'hiddenField' },
      7,
    ];
    const field = (name: string, type: string, options: string[] = [], label = name, isRequired = false) => ({
      name,
      label,
      type,
      options,
      isRequired,
    });
    const others = [
      field('Age', 'number'),
      field('Born', 'date'),
      field('Size', 'choice', ['S', 'L']),
      field('Colors', 'choices', ['red']),
      field('Taste', 'choice'),
      field('Photo', 'other'),
      field('campaign', 'text'),
    ];
    const nodes = [node('formTrigger', { formFields: { values } }, 2.4)];
    assert.deepEqual(readTriggerInputs({ nodes }), [
      { kind: 'form', fields: [field('name', 'text', [], 'Your name', true), ...others] },
    ]);
    const [earlier] = formOf([{ fieldLabel: 'Your name', fieldName: 'name' }], 2.3);
    assert.deepEqual(earlier, { kind: 'form', fields: [field('Your name', 'text')] });
  });

  it('are not known of a form that is written otherwise, and read no further than a bound', () => {
    const nodes = [node('formTrigger', { defineForm: 'json', jsonOutput: '[]' })];
    assert.deepEqual(readTriggerInputs({ nodes }), [{ kind: 'form', fields: [] }]);
    const [form] = formOf(Array.from({ length: 1000 }, (_, at) => ({ fieldLabel: `Field ${at}` })));
    assert.equal(form?.kind === 'form' && form.fields.length, 200);
    assert.deepEqual(readTriggerInputs({ nodes: 'odd' }), []);
  });

  it('are those of what is deployed, where there is something', () => {
    const record = {
      id: '1',
      name: 'x',
      active: true,
      nodes: [node('chatTrigger')],
      connections: {},
      settings: {},
      versionId: '2',
      activeVersionId: '1',
      activeVersion: { versionId: '1', nodes: [node('webhook', { path: 'in' })], connections: {} },
    };
    const inputsOf = (value: JsonObject) =>
      decodeWholeWorkflow(value)?.triggerInputs?.map(({ kind }) => kind);
    assert.deepEqual(inputsOf(record), ['webhook']);
    assert.deepEqual(inputsOf({ ...record, active: false, activeVersionId: null, activeVersion: null }), [
      'chat',
    ]);
  });
});
