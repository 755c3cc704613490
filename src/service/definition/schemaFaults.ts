// Why: the validator reports every level of a fault; a person needs the innermost one, with a readable place.
import type { ValidationResult } from '@cfworker/json-schema';
import type { Fault } from './checkDefinition.ts';
import { faultWords } from './faultWords.ts';

/** Keywords that only say that something further in is wrong. */
const outer = new Set(['properties', 'items', 'allOf', 'anyOf', 'if', '$ref', 'additionalProperties', 'not']);

/** The innermost faults; empty when the value is valid. */
export function schemaFaults(result: ValidationResult): readonly Fault[] {
  if (result.valid) return [];
  const inner = result.errors.filter((error) => !outer.has(error.keyword));
  const told = inner.length > 0 ? inner : result.errors;
  const faults = told.map((error) => ({
    path: decodePointer(error.instanceLocation),
    message: faultWords(error.keyword, error.error),
  }));
  return faults.filter(
    (fault, index) =>
      faults.findIndex((other) => other.path === fault.path && other.message === fault.message) === index,
  );
}

/** `#/nodes/0/id` as `nodes.0.id`. */
function decodePointer(pointer: string): string {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
