// The text of an open definition, saved or not, to be executed as it is.
import { isJsonObject, type JsonObject, parseJson } from '../base/json.ts';
import type { WorkflowTarget } from '../domain/targets.ts';
import { notSent } from './notSent.ts';
import { findOpenDefinition } from './pickers/openDefinition.ts';

/** Returns undefined if the definition isn't open. Throws a PlainError if its text isn't a JSON object. */
export function readOpenDefinition(target: WorkflowTarget): JsonObject | undefined {
  const text = findOpenDefinition(target)?.getText();
  if (text === undefined) return undefined;
  const definition = parseJson(text);
  if (isJsonObject(definition)) return definition;
  throw notSent('definition');
}
