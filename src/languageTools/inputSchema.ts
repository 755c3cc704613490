import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { LanguageTool } from './languageTool.ts';

const ObjectSchema = v.looseObject({ type: v.literal('object') });

/** The JSON Schema of what a tool takes. Lengths are left out: they cost a model more than they tell it. */
export function inputSchemaOf({ input }: LanguageTool): v.InferOutput<typeof ObjectSchema> {
  const { $schema: _, ...schema } = toJsonSchema(input, {
    typeMode: 'input',
    ignoreActions: ['max_length', 'non_empty', 'min_value'],
    overrideSchema: ({ valibotSchema }) => (valibotSchema.type === 'custom' ? { type: 'object' } : undefined),
  });
  return v.parse(ObjectSchema, schema);
}
