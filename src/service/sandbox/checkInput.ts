// Runs in a worker: an author's schema can contain a pattern that never finishes on some inputs.
import type { JsonObject } from '../../base/json.ts';
import { schemaFaults } from '../definition/schemaFaults.ts';
import type { Faults } from '../definition/faults.ts';
import type { InputCheck } from './messages.ts';
import { inputNotChecked, nameMembers } from './words.ts';

const maximumNames = 20;

/** Checks the input against the schema; null accepts every input. Throws a NodeError when the check itself fails. */
export function checkInput(schema: JsonObject | null, input: JsonObject): InputCheck {
  const all = Object.keys(input);
  const more = all.length > maximumNames ? ` and ${all.length - maximumNames} more` : '';
  return { ...faultsOf(schema, input), names: nameMembers(all, maximumNames) + more };
}

function faultsOf(schema: JsonObject | null, input: JsonObject): Faults {
  if (schema === null) return { faults: [], more: 0 };
  try {
    return schemaFaults(schema, '2020-12', input);
  } catch (error) {
    throw inputNotChecked(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'the schema, or the input, leads too deep.';
  return error instanceof Error ? error.message : String(error);
}
