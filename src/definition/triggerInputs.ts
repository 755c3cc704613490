// The schema of an input for triggers that declare none, derived from their kind, fields and path.
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../base/json.ts';
import type { FormField, TriggerInput } from '../domain/triggers.ts';

export interface TriggerSchema {
  readonly schema: JsonObject;
  /** One of the triggers takes any input, so past inputs may show more. */
  readonly isOpen: boolean;
}

/** Returns undefined if nothing is known. */
export function schemaOfTriggers(inputs: readonly TriggerInput[]): TriggerSchema | undefined {
  const schemas = inputs.map(schemaOf);
  const known = schemas.filter(({ schema }) => Object.keys(schema).length > 0);
  const [first, ...others] = known;
  if (first === undefined) return undefined;
  const isOpen = schemas.some((each) => each.isOpen);
  const alternatives = [...known.map(({ schema }) => schema), ...(isOpen ? [{}] : [])];
  return { schema: others.length === 0 && !isOpen ? first.schema : { anyOf: alternatives }, isOpen };
}

function schemaOf(input: TriggerInput): TriggerSchema {
  switch (input.kind) {
    case 'chat':
      return { schema: chatSchema(), isOpen: false };
    case 'form':
      return input.fields.length === 0
        ? { schema: {}, isOpen: true }
        : { schema: formSchema(input.fields), isOpen: false };
    case 'webhook':
      return { schema: webhookSchema(input), isOpen: input.parameters.length === 0 };
  }
}

function chatSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      chatInput: { type: 'string', description: l10n.t('The message to the chat.') },
      sessionId: {
        type: 'string',
        description: l10n.t('The chat session that the message belongs to. By default, a new one.'),
      },
    },
    required: ['chatInput'],
  };
}

function formSchema(fields: readonly FormField[]): JsonObject {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function fieldSchema({ label, type, options }: FormField): JsonObject {
  const description = l10n.t('Field of the form: {0}', label);
  const option = options.length > 0 ? { enum: [...options] } : { type: 'string' };
  switch (type) {
    case 'text':
      return { type: 'string', description };
    case 'number':
      return { type: 'number', description };
    case 'date':
      return { type: 'string', description, examples: ['2026-01-31'] };
    case 'choice':
      return { ...option, description };
    case 'choices':
      return { type: 'array', items: option, description };
    case 'other':
      return { description };
  }
}

/** Without path parameters, the input is the body or the query itself, so only the members of a call that has both are described. */
function webhookSchema({ hasBody, parameters }: Extract<TriggerInput, { kind: 'webhook' }>): JsonObject {
  const body = hasBody ? { body: { description: l10n.t('The body of the request.') } } : {};
  const query = { description: l10n.t('The query of the address.') };
  if (parameters.length === 0) return hasBody ? { type: 'object', properties: { ...body, query } } : {};
  const params = {
    type: 'object',
    description: l10n.t('The values of the parameters in the path of the address.'),
    properties: Object.fromEntries(parameters.map((name) => [name, parameterSchema(name)])),
    required: [...parameters],
  };
  return {
    type: 'object',
    properties: { ...body, query: { ...query, type: 'object' }, params },
    required: [hasBody ? 'body' : 'query', 'params'],
    additionalProperties: false,
  };
}

function parameterSchema(name: string): JsonObject {
  const description = l10n.t('The value of "{0}" in the address.', `:${name}`);
  return { type: ['string', 'number', 'boolean'], minLength: 1, description };
}
