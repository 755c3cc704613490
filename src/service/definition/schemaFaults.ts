// The validator reports every level of a fault; a person needs the innermost one, with a readable place.
import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { type Fault, type Faults, firstFaults, maximumFaults } from './faults.ts';
import { faultWords } from './faultWords.ts';

/** Keywords that only say that something further in is wrong. */
const outer = new Set(['properties', 'items', 'allOf', 'anyOf', 'if', '$ref', 'additionalProperties', 'not']);

/** What keeps a value from fitting a schema. Throws on a schema that cannot be used. */
export function schemaFaults(
  schema: Readonly<Record<string, unknown>>,
  draft: SchemaDraft,
  value: unknown,
): Faults {
  try {
    return innermost(new Validator({ ...schema }, draft, false).validate(value).errors);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The validator hands on all faults at once, until there are too many; then it is asked for the first ones only.
    return { ...innermost(new Validator({ ...schema }, draft, true).validate(value).errors), more: null };
  }
}

/** The innermost faults, each once. */
function innermost(errors: readonly OutputUnit[]): Faults {
  const inner = errors.filter((error) => !outer.has(error.keyword));
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const { instanceLocation, keyword, error } of inner.length > 0 ? inner : errors) {
    const key = `${instanceLocation} ${error}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (faults.length < maximumFaults)
      faults.push({ path: decodePointer(instanceLocation), message: faultWords(keyword, error) });
  }
  return firstFaults(faults, seen.size);
}

/** `#/nodes/0/id` as `nodes.0.id`. */
function decodePointer(pointer: string): string {
  return pointer
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
