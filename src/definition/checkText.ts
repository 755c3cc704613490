// Checks a definition's text for the service that it's meant for.
import { isJsonArray, isJsonObject, parseJson } from '../base/json.ts';
import { type DefinitionFormat, definitionFormats } from '../domain/definitionFormat.ts';
import { checkConnections } from './checkConnections.ts';
import { checkDefinition } from './checkDefinition.ts';
import type { DefinitionFault } from './definitionFault.ts';
import type { ExpressionReader } from './expressions.ts';
import type { Faults } from './faultList.ts';

/** null: the text isn't a JSON object. */
export type TextCheck = Faults<DefinitionFault> | null;

/** Whose rules a text must follow: the local service's, or those of all documents of a format. */
export type CheckRules = 'local' | DefinitionFormat;

/** Checks texts as the local service does, in a thread. */
export interface DefinitionChecker {
  /** Rejects when the check fails or takes too long, and with the signal's reason. A later check never waits for an aborted one. */
  checkText(text: string, rules: CheckRules, signal: AbortSignal): Promise<TextCheck>;
}

const none: TextCheck = { faults: [], more: 0 };

/**
 * Returns null for a text that isn't a JSON object. The faults are those for which the local service refuses to deploy the text.
 * Another service may have more node types, and other definitions altogether.
 */
export function checkText(text: string, rules: CheckRules, read?: ExpressionReader): TextCheck {
  const definition = parseJson(text);
  if (!isJsonObject(definition)) return null;
  if (rules !== 'local' && definitionFormats[rules].edgesMember === 'connections')
    return checkConnections(definition);
  const isLocal = rules === 'local';
  const { nodes = [], edges = [] } = definition;
  if (!isLocal && !(isJsonArray(definition['nodes']) && isJsonArray(definition['edges']))) return none;
  return checkDefinition({ ...definition, nodes, edges }, isLocal, read);
}
