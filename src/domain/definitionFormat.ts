import { type JsonObject, typeOfJson } from '../base/json.ts';

/** Whose document a definition is: of a service that speaks like the local one, or of n8n. */
export type DefinitionFormat = 'service' | 'n8n';

interface CommonTraits {
  /** How the names of definitions end. The editor chooses their JSON schemas by it. */
  readonly fileEnding: string;
  /** The member that edges and node runs name a node by. */
  readonly idMember: string;
  /** The member that connects the nodes: a list of edges, or what leaves each node. */
  readonly edgesMember: 'edges' | 'connections';
  /** The type of the nodes that send a request to an address in it. */
  readonly requestType: string;
  /** What an export has of where it comes from, which nobody wrote. */
  readonly originMembers: readonly string[];
}

interface ContractTraits extends CommonTraits {
  readonly product?: undefined;
  readonly noteType?: undefined;
  readonly hasOwnExpressions: false;
  readonly hasParameters: false;
}

interface ProductTraits extends CommonTraits {
  /** How people call the product whose documents these are. */
  readonly product: string;
  /** Expressions are in a language of its own, of which only plain paths are read here. */
  readonly hasOwnExpressions: true;
  /** Nodes have parameters whose types the product knows and checks, and code among them. */
  readonly hasParameters: true;
  /** The type of the nodes that are notes, which run nothing. */
  readonly noteType: string;
}

/** What documents differ in, whichever connection they belong to. */
export const definitionFormats: { readonly service: ContractTraits; readonly n8n: ProductTraits } = {
  service: {
    fileEnding: '.workflow.json',
    idMember: 'id',
    edgesMember: 'edges',
    requestType: 'httpRequest',
    originMembers: [],
    hasOwnExpressions: false,
    hasParameters: false,
  },
  n8n: {
    product: 'n8n',
    fileEnding: '.n8n.workflow.json',
    idMember: 'name',
    edgesMember: 'connections',
    requestType: 'n8n-nodes-base.httpRequest',
    originMembers: ['isArchived', 'meta', 'shared', 'triggerCount', 'versionCounter'],
    hasOwnExpressions: true,
    hasParameters: true,
    noteType: 'n8n-nodes-base.stickyNote',
  },
};

const longestFirst = Object.values(definitionFormats)
  .map(({ fileEnding }) => fileEnding)
  .sort((one, other) => other.length - one.length);

/** Removes how the name of a definition of whichever format ends. */
export function withoutEnding(name: string): string {
  const ending = longestFirst.find((each) => name.toLowerCase().endsWith(each));
  return ending === undefined ? name : name.slice(0, -ending.length);
}

/**
 * Whose document this looks like. Services with other words may have connections too, but as a list. `typeOf`: of a member, as in JSON;
 * undefined without it.
 */
export function formatOfMembers(typeOf: (member: string) => string | undefined): DefinitionFormat {
  if (typeOf('edges') !== undefined) return 'service';
  return typeOf('nodes') === 'array' && typeOf('connections') === 'object' ? 'n8n' : 'service';
}

export function formatOf(definition: JsonObject): DefinitionFormat {
  return formatOfMembers((member) => {
    const value = definition[member];
    return value === undefined ? undefined : typeOfJson(value);
  });
}
