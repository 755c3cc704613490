// Reads the edges of a definition's text, each kind of document in its own way.
import { getNodeValue, type Node } from 'jsonc-parser';
import { isJsonObject } from '../base/json.ts';
import { type OutputNode, outputNames, switchType } from '../domain/outputNames.ts';
import { findAt, membersOf } from './jsonNodes.ts';
import { type Range, rangeOf } from './range.ts';

export interface DefinitionEdge {
  readonly source: string;
  readonly target: string;
  readonly branch: string;
  readonly offset: number;
  /** The texts that name its ends; several edges can share one. */
  readonly ends: readonly EdgeEnd[];
}

interface EdgeEnd extends Range {
  readonly id: string;
}

/** Services name the ends in two ways, and may write a branch as true or false. */
export function readEdge(edge: Node): DefinitionEdge {
  const end = (...names: readonly string[]): EdgeEnd | undefined =>
    names.map((name) => readEnd(findAt(edge, [name]))).find((found) => found !== undefined);
  const source = end('source', 'from');
  const target = end('target', 'to');
  const branch: unknown = findAt(edge, ['branch'])?.value;
  return {
    source: source?.id ?? '',
    target: target?.id ?? '',
    branch: typeof branch === 'string' || typeof branch === 'boolean' ? String(branch) : '',
    offset: edge.offset,
    ends: [source, target].filter((found) => found !== undefined),
  };
}

/** Reads `connections`: by the name of the node that they start at, by their type, and by its outputs, each with a list. */
export function readConnections(root: Node): readonly DefinitionEdge[] {
  const nodes = readOutputNodes(root);
  return membersOf(findAt(root, ['connections'])).flatMap(([name, byType]) => {
    const source = readEnd(name);
    const node = nodes.get(source?.id ?? '') ?? { type: '', parameters: {}, onError: '' };
    return membersOf(byType).flatMap(([{ value: type }, outputs]) =>
      itemsOf(outputs).flatMap((output, index, all) =>
        itemsOf(output).map((connection) => {
          const target = readEnd(findAt(connection, ['node']));
          return {
            source: source?.id ?? '',
            target: target?.id ?? '',
            branch: type === mainType ? (outputNames(node, all.length)[index] ?? '') : String(type),
            offset: connection.offset,
            ends: [source, target].filter((found) => found !== undefined),
          };
        }),
      ),
    );
  });
}

/** By name, the nodes on which the names of their outputs depend. */
function readOutputNodes(root: Node): ReadonlyMap<string, OutputNode> {
  const nodes = findAt(root, ['nodes']);
  return new Map(
    (nodes === undefined ? [] : itemsOf(nodes)).flatMap((node) => {
      const [name, type, onError] = ['name', 'type', 'onError'].map(
        (member): unknown => findAt(node, [member])?.value,
      );
      const parameters = findAt(node, ['parameters']);
      const value: unknown = parameters && type === switchType ? getNodeValue(parameters) : undefined;
      return typeof name === 'string' && typeof type === 'string'
        ? [
            [
              name,
              {
                type,
                onError: typeof onError === 'string' ? onError : '',
                parameters: isJsonObject(value) ? value : {},
              },
            ] as const,
          ]
        : [];
    }),
  );
}

/** The type of connections that items pass along; the others lend a node to another one, such as a tool to an agent. */
const mainType = 'main';

function itemsOf(node: Node): readonly Node[] {
  return node.type === 'array' ? (node.children ?? []) : [];
}

function readEnd(node: Node | undefined): EdgeEnd | undefined {
  const id: unknown = node?.value;
  return node && typeof id === 'string' && id !== '' ? { id, ...rangeOf(node) } : undefined;
}
