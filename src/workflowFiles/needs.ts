// What a definition names and doesn't bring along: secrets of a service, and credentials of n8n.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, numberText } from '../base/json.ts';
import { DefinitionText } from '../definition/definitionText.ts';
import { findSecretUses } from '../definition/secretUses.ts';
import { formatOf } from '../domain/definitionFormat.ts';
import { renderDefinition } from '../model/workflows/workflowDefinition.ts';

/** Each once, in the order of the definition. */
export interface DefinitionNeeds {
  /** Their names. */
  readonly secrets: readonly string[];
  /** Their ids with their names, such as "Header account (12)". */
  readonly credentials: readonly string[];
}

export function findNeeds(definition: JsonObject): DefinitionNeeds {
  if (formatOf(definition) === 'n8n')
    return { secrets: [], credentials: [...new Set(credentialsIn(definition))] };
  const uses = findSecretUses(new DefinitionText(renderDefinition(definition)));
  return { secrets: [...new Set(uses.map(({ name }) => name))], credentials: [] };
}

/** What `after` needs that `before` didn't: where that runs, the rest is there. */
export function newNeeds(after: JsonObject, before: JsonObject | undefined): DefinitionNeeds {
  const needs = findNeeds(after);
  if (before === undefined) return needs;
  const known = findNeeds(before);
  return {
    secrets: needs.secrets.filter((name) => !known.secrets.includes(name)),
    credentials: needs.credentials.filter((name) => !known.credentials.includes(name)),
  };
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
  const words = [name, idText === undefined ? null : `(${idText})`].filter(
    (word) => typeof word === 'string',
  );
  return words.length === 0 ? [] : [words.join(' ')];
}
