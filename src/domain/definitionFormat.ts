import { isJsonArray, isJsonObject, type JsonObject } from '../base/json.ts';

/** Whose document a definition is: of the service that the local one speaks like, or of n8n. */
export type DefinitionFormat = 'service' | 'n8n';

/** The member that edges and node runs name a node by. */
export const idMembers: Readonly<Record<DefinitionFormat, string>> = { service: 'id', n8n: 'name' };

/** Whose document this looks like. Services with other words may have connections too, but as a list. */
export function formatOf({ nodes, edges, connections }: JsonObject): DefinitionFormat {
  return edges === undefined && isJsonArray(nodes) && isJsonObject(connections) ? 'n8n' : 'service';
}
