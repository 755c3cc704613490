// The messages between the extension and the thread that checks definitions.
import * as v from 'valibot';
import type { DefinitionFault } from './definitionFault.ts';
import type { Faults } from './faults.ts';

export const CheckOrder = v.object({ text: v.string(), isLocal: v.boolean() });
export type CheckOrder = v.InferOutput<typeof CheckOrder>;

/** null: the text isn't a JSON object. */
export type CheckAnswer = Faults<DefinitionFault> | null;

/** What the thread begins with: the translated words, undefined for English. */
export const CheckWords = v.object({
  words: v.optional(v.record(v.string(), v.string())),
});
export type CheckWords = v.InferOutput<typeof CheckWords>;
