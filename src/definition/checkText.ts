// What is wrong with a definition's text, for the service that it's meant for.
import { isJsonArray, isJsonObject, parseJson } from '../base/json.ts';
import { type DefinitionFormat, formats } from '../domain/definitionFormat.ts';
import { checkConnections } from './checkConnections.ts';
import { checkDefinition } from './checkDefinition.ts';
import type { DefinitionFault } from './definitionFault.ts';
import type { Read } from './expressions.ts';
import type { Faults } from './faultList.ts';

/** null: the text isn't a JSON object. */
export type CheckAnswer = Faults<DefinitionFault> | null;

/** Whose rules a text must keep: the local service's, or what holds for all documents of a format. */
export type CheckRules = 'local' | DefinitionFormat;

/** Checks texts as the local service does, in a thread. */
export interface DefinitionChecker {
  /** Rejects when the check fails or takes too long, and with the signal's reason. What is asked next never waits for an aborted check. */
  checkText(text: string, rules: CheckRules, signal: AbortSignal): Promise<CheckAnswer>;
}

const none: CheckAnswer = { faults: [], more: 0 };

/**
 * Returns null for a text that isn't a JSON object. The faults are those for which the local service refuses to deploy the text.
 * Another service may have more node types, and other definitions altogether.
 */
export function checkText(text: string, rules: CheckRules, read?: Read): CheckAnswer {
  const definition = parseJson(text);
  if (!isJsonObject(definition)) return null;
  if (rules !== 'local' && formats[rules].edgesMember === 'connections') return checkConnections(definition);
  const isLocal = rules === 'local';
  const { nodes = [], edges = [] } = definition;
  if (!isLocal && !(isJsonArray(definition['nodes']) && isJsonArray(definition['edges']))) return none;
  return checkDefinition({ ...definition, nodes, edges }, isLocal, read);
}
