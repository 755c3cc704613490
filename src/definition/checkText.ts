// What is wrong with a definition's text, for the service that it's meant for.
import { isJsonArray, isJsonObject, parseJson } from '../base/json.ts';
import { checkDefinition } from './checkDefinition.ts';
import type { DefinitionFault } from './definitionFault.ts';
import type { Read } from './expressions.ts';
import type { Faults } from './faults.ts';

/** null: the text isn't a JSON object. */
export type CheckAnswer = Faults<DefinitionFault> | null;

/** Checks texts as the local service does, in a thread. */
export interface DefinitionChecker {
  /** Rejects when the check fails or takes too long, and with the signal's reason. What is asked next never waits for an aborted check. */
  checkText(text: string, isLocal: boolean, signal: AbortSignal): Promise<CheckAnswer>;
}

const none: CheckAnswer = { faults: [], more: 0 };

/**
 * Returns null for a text that isn't a JSON object. The faults are those for which the local service refuses to deploy the text.
 * Another service may have more node types, and other definitions altogether: `isLocal` says which it is.
 */
export function checkText(text: string, isLocal: boolean, read?: Read): CheckAnswer {
  const definition = parseJson(text);
  if (!isJsonObject(definition)) return null;
  const { nodes = [], edges = [] } = definition;
  if (!isLocal && !(isJsonArray(definition['nodes']) && isJsonArray(definition['edges']))) return none;
  return checkDefinition({ ...definition, nodes, edges }, isLocal, read);
}
