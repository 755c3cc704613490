// Reads the edges of a definition's text, each kind of document in its own way.
import { findNodeAtLocation, type Node } from 'jsonc-parser';

export interface DefinitionEdge {
  readonly source: string;
  readonly target: string;
  readonly branch: string;
  readonly offset: number;
}

/** Services name the ends in two ways, and may write a branch as true or false. */
export function readEdge(edge: Node): DefinitionEdge {
  const member = (name: string): unknown => findNodeAtLocation(edge, [name])?.value;
  const end = (...names: readonly string[]): string => {
    const found = names.map(member).find((value) => typeof value === 'string' && value !== '');
    return typeof found === 'string' ? found : '';
  };
  const branch = member('branch');
  return {
    source: end('source', 'from'),
    target: end('target', 'to'),
    branch: typeof branch === 'string' || typeof branch === 'boolean' ? String(branch) : '',
    offset: edge.offset,
  };
}

/** Reads `connections` of n8n: by the name of the node that they leave, by their type, and by its outputs, each with a list. */
export function readConnections(root: Node): readonly DefinitionEdge[] {
  return membersOf(findNodeAtLocation(root, ['connections'])).flatMap(([source, byType]) =>
    membersOf(byType).flatMap(([type, outputs]) =>
      itemsOf(outputs).flatMap((output, index, all) =>
        itemsOf(output).map((connection) => ({
          source,
          target: textAt(connection, 'node'),
          branch: type === mainType ? (all.length > 1 ? String(index + 1) : '') : type,
          offset: connection.offset,
        })),
      ),
    ),
  );
}

/** The type of connections that items go along; the others lend a node to another one, such as a tool to an agent. */
const mainType = 'main';

function membersOf(node: Node | undefined): readonly (readonly [name: string, value: Node])[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name && value ? [[String(name.value), value] as const] : [],
  );
}

function itemsOf(node: Node): readonly Node[] {
  return node.type === 'array' ? (node.children ?? []) : [];
}

function textAt(node: Node, member: string): string {
  const value: unknown = findNodeAtLocation(node, [member])?.value;
  return typeof value === 'string' ? value : '';
}
