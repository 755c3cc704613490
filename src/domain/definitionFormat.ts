import { isJsonArray, isJsonObject, type JsonObject } from '../base/json.ts';

/** Whose document a definition is: of a service that speaks like the local one, or of n8n. */
export type DefinitionFormat = 'service' | 'n8n';

/** The member by which edges and node runs name a node. */
export const idMembers: Readonly<Record<DefinitionFormat, string>> = { service: 'id', n8n: 'name' };

/** Detects the format. Services with other words may have connections too, but as a list. */
export function formatOf({ nodes, edges, connections }: JsonObject): DefinitionFormat {
  return edges === undefined && isJsonArray(nodes) && isJsonObject(connections) ? 'n8n' : 'service';
}
