// The validator reports every level of a fault; a person needs the innermost one, with a readable place.
import type { ValidationResult } from '@cfworker/json-schema';
import { firstFaults } from './faults.ts';
import type { Fault, Faults } from './faults.ts';
import { faultWords } from './faultWords.ts';

/** Keywords that only say that something further in is wrong. */
const outer = new Set(['properties', 'items', 'allOf', 'anyOf', 'if', '$ref', 'additionalProperties', 'not']);

/** The innermost faults, each once; none when the value is valid. */
export function schemaFaults(result: ValidationResult): Faults {
  if (result.valid) return { faults: [], more: 0 };
  const inner = result.errors.filter((error) => !outer.has(error.keyword));
  const told = inner.length > 0 ? inner : result.errors;
  const faults = new Map<string, Fault>();
  for (const { instanceLocation, keyword, error } of told) {
    const fault = { path: decodePointer(instanceLocation), message: faultWords(keyword, error) };
    faults.set(JSON.stringify([fault.path, fault.message]), fault);
  }
  return firstFaults([...faults.values()]);
}

/** `#/nodes/0/id` as `nodes.0.id`. */
function decodePointer(pointer: string): string {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
