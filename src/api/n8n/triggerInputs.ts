// What the triggers of a document say about the inputs that they take.
import * as v from 'valibot';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FormField, TriggerInput } from '../../domain/triggers.ts';
import { readTriggers, type Trigger } from './triggers.ts';

/** How many fields of a form are read, and how many options of a field. */
const maximumFields = 200;

const text = v.fallback(v.string(), '');
const FormNode = v.object({
  name: text,
  typeVersion: v.fallback(v.number(), 1),
  parameters: v.object({ formFields: v.object({ values: v.array(v.unknown()) }) }),
});
const Field = v.object({
  fieldLabel: text,
  fieldName: text,
  fieldType: v.fallback(v.string(), 'text'),
  requiredField: v.fallback(v.boolean(), false),
  multiselect: v.fallback(v.boolean(), false),
  fieldOptions: v.fallback(v.object({ values: v.array(v.object({ option: v.string() })) }), { values: [] }),
});
type Field = v.InferOutput<typeof Field>;

/** From here on, a field may have a name beside its label. */
const firstWithNames = 2.4;

const types: ReadonlyMap<string, FormField['type']> = new Map([
  ['text', 'text'],
  ['textarea', 'text'],
  ['email', 'text'],
  ['password', 'text'],
  ['hiddenField', 'text'],
  ['number', 'number'],
  ['date', 'date'],
  ['dropdown', 'choice'],
  ['radio', 'choice'],
  ['checkbox', 'choices'],
]);

/** n8n computes what begins so when it runs. */
const isExpression = (value: string): boolean => value.startsWith('=');

/** Of the triggers that a call of somebody else's begins at, in the order of the document; nothing of others. */
export function readTriggerInputs(document: JsonObject): readonly TriggerInput[] {
  const { nodes = null } = document;
  return readTriggers(document).flatMap((trigger) =>
    inputOf(trigger, isJsonArray(nodes) ? nodes.find((node) => isNamed(node, trigger.nodeName)) : undefined),
  );
}

function isNamed(node: JsonValue, name: string): boolean {
  return isJsonObject(node) && node['name'] === name;
}

function inputOf(trigger: Trigger, node: JsonValue | undefined): readonly TriggerInput[] {
  switch (trigger.kind) {
    case 'chat':
      return [{ kind: 'chat' }];
    case 'form':
      return [{ kind: 'form', fields: fieldsOf(node) }];
    case 'webhook': {
      const { method, parameters } = trigger;
      return [{ kind: 'webhook', hasBody: method !== 'GET', parameters }];
    }
    case 'schedule':
    case 'manual':
    case 'other':
      return [];
  }
}

function fieldsOf(node: JsonValue | undefined): readonly FormField[] {
  const form = v.safeParse(FormNode, node);
  if (!form.success) return [];
  const { parameters, typeVersion } = form.output;
  return parameters.formFields.values.slice(0, maximumFields).flatMap((each) => {
    const field = v.safeParse(Field, each);
    return field.success ? toField(field.output, typeVersion >= firstWithNames) : [];
  });
}

function toField(field: Field, hasName: boolean): readonly FormField[] {
  const { fieldLabel: label, fieldName, fieldType, multiselect, fieldOptions } = field;
  const name = (hasName && fieldName) || label || fieldName;
  if (name === '' || isExpression(name) || fieldType === 'html') return [];
  const type = types.get(fieldType) ?? 'other';
  const options = fieldOptions.values.slice(0, maximumFields).map(({ option }) => option);
  return [
    {
      name,
      label: label === '' ? name : label,
      type: type === 'choice' && multiselect ? 'choices' : type,
      options: options.some(isExpression) ? [] : options.filter((option) => option !== ''),
      isRequired: field.requiredField && fieldType !== 'file',
    },
  ];
}
