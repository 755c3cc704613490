// What a definition names and doesn't bring along: secrets of a service, and credentials and other workflows of n8n.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, numberText } from '../base/json.ts';
import { DefinitionText } from '../definition/definitionText.ts';
import { findSecretUses } from '../definition/secretUses.ts';
import { formatOf } from '../domain/definitionFormat.ts';
import { renderDefinition } from '../model/workflows/workflowDefinition.ts';
import { findCalled } from './subWorkflows.ts';

/** Each once, in the order of the definition. */
interface DefinitionNeeds {
  /** Their names. */
  readonly secrets: readonly string[];
  /** Their ids with their names, such as "Header account (12)". */
  readonly credentials: readonly string[];
}

/** What isn't there, as far as a key may ask. */
export interface MissingNeeds extends DefinitionNeeds {
  /** Workflows that it calls, like credentials. */
  readonly workflows: readonly string[];
}

export function findNeeds(definition: JsonObject): DefinitionNeeds {
  if (formatOf(definition) === 'n8n')
    return { secrets: [], credentials: [...new Set(credentialsIn(definition))] };
  const uses = findSecretUses(new DefinitionText(renderDefinition(definition)));
  return { secrets: [...new Set(uses.map(({ name }) => name))], credentials: [] };
}

/**
 * Of secrets and credentials, what `after` needs that `before` didn't: where that runs, the rest is there. `isThere`: whether the service has a
 * workflow, or will have it.
 */
export function newNeeds(
  after: JsonObject,
  before: JsonObject | undefined,
  isThere: (workflowId: string) => boolean,
): MissingNeeds {
  const needs = findNeeds(after);
  const known = before === undefined ? { secrets: [], credentials: [] } : findNeeds(before);
  return {
    secrets: without(needs.secrets, known.secrets),
    credentials: without(needs.credentials, known.credentials),
    workflows: findCalled(after)
      .filter(({ workflowId }) => !isThere(workflowId))
      .map(({ workflowId, name }) => describeId(workflowId, name)),
  };
}

function without(names: readonly string[], known: readonly string[]): readonly string[] {
  return names.filter((name) => !known.includes(name));
}

function credentialsIn({ nodes = null }: JsonObject): readonly string[] {
  return (isJsonArray(nodes) ? nodes : []).flatMap((node) => {
    const credentials = isJsonObject(node) ? (node['credentials'] ?? null) : null;
    return isJsonObject(credentials) ? Object.values(credentials).flatMap(describeCredential) : [];
  });
}

function describeCredential(credential: JsonValue): readonly string[] {
  if (!isJsonObject(credential)) return [];
  const { id = null, name = null } = credential;
  const idText = typeof id === 'string' ? id : numberText(id);
  const words = describeId(idText, typeof name === 'string' ? name : undefined);
  return words === '' ? [] : [words];
}

function describeId(id: string | undefined, name: string | undefined): string {
  return [name, id === undefined ? undefined : `(${id})`].filter((word) => word !== undefined).join(' ');
}
