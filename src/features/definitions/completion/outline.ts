// The nodes and edges of a definition's text, which may be unfinished, and how they follow each other.
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';

export interface OutlineNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly offset: number;
  /** A text in its config. */
  readonly config: (member: string) => string | undefined;
  /** The JSON Schema that a trigger declares for the input. */
  readonly inputSchema: () => JsonObject | undefined;
}

export interface OutlineEdge {
  readonly source: string;
  readonly target: string;
  readonly branch: string;
  readonly offset: number;
}

/** Reads what has the right shape; the id of a node that has none is ''. */
export class Outline {
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
  readonly #outgoing: ReadonlyMap<string, readonly OutlineEdge[]>;
  readonly #incoming: ReadonlyMap<string, readonly OutlineEdge[]>;
  #knownBodies: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(root: Node) {
    this.nodes = objectsIn(root, 'nodes').map(readNode);
    this.edges = objectsIn(root, 'edges').map(readEdge);
    this.#outgoing = Map.groupBy(this.edges, ({ source }) => source);
    this.#incoming = Map.groupBy(this.edges, ({ target }) => target);
  }

  find(id: string): OutlineNode | undefined {
    return this.nodes.find((node) => node.id === id);
  }

  outgoing(id: string): readonly OutlineEdge[] {
    return this.#outgoing.get(id) ?? [];
  }

  incoming(id: string): readonly OutlineEdge[] {
    return this.#incoming.get(id) ?? [];
  }

  /** The ids of the nodes that lead to this one, itself not included unless it's in a cycle. */
  before(id: string): ReadonlySet<string> {
    return this.#reach(
      this.incoming(id).map(({ source }) => source),
      (each) => this.incoming(each).map(({ source }) => source),
    );
  }

  /** The ids of the nodes that this one leads to. */
  after(id: string): ReadonlySet<string> {
    return this.#reach(
      this.outgoing(id).map(({ target }) => target),
      this.#next,
    );
  }

  /** The ids of the nodes in the body of a for-each, with those of loops inside. */
  body(loopId: string): ReadonlySet<string> {
    return this.#bodies.get(loopId) ?? new Set();
  }

  /** The for-eaches whose bodies contain the node, innermost first. */
  loopsOf(id: string): readonly OutlineNode[] {
    return [...this.#bodies]
      .filter(([loopId, body]) => loopId !== id && body.has(id))
      .sort(([, one], [, other]) => one.size - other.size)
      .flatMap(([loopId]) => this.find(loopId) ?? []);
  }

  /** By the loop's id. Found once, since a completion asks for the loops of every node. */
  get #bodies(): ReadonlyMap<string, ReadonlySet<string>> {
    this.#knownBodies ??= new Map(
      this.nodes.flatMap(({ id, type }) => {
        if (type !== 'forEach') return [];
        const entries = this.outgoing(id).filter(({ branch }) => branch === 'each');
        const targets = entries.map(({ target }) => target);
        return [[id, this.#reach(targets, this.#next)] as const];
      }),
    );
    return this.#knownBodies;
  }

  readonly #next = (id: string): readonly string[] => this.outgoing(id).map(({ target }) => target);

  #reach(start: readonly string[], next: (id: string) => readonly string[]): ReadonlySet<string> {
    const found = new Set(start);
    for (const id of found) for (const each of next(id)) found.add(each);
    return found;
  }
}

/** The last of these in the text that begins before an offset: the one that it's in, also where its end is missing. */
export function findBefore<T extends { readonly offset: number }>(
  all: readonly T[],
  offset: number,
): T | undefined {
  return all.findLast((each) => each.offset < offset);
}

function objectsIn(root: Node, list: string): readonly Node[] {
  const found = findNodeAtLocation(root, [list]);
  if (found?.type !== 'array') return [];
  return (found.children ?? []).filter(({ type }) => type === 'object');
}

function readNode(node: Node): OutlineNode {
  const id = textAt(node, ['id']) ?? '';
  return {
    id,
    name: textAt(node, ['name']) ?? id,
    type: textAt(node, ['type']) ?? '',
    description: textAt(node, ['description']) ?? '',
    offset: node.offset,
    config: (member) => textAt(node, ['config', member]),
    inputSchema: () =>
      [['config'], [], ['data'], ['parameters']]
        .map((place) => valueAt(node, [...place, 'inputSchema']))
        .find(isJsonObject),
  };
}

function readEdge(edge: Node): OutlineEdge {
  const branch = valueAt(edge, ['branch']);
  return {
    source: textAt(edge, ['source']) ?? '',
    target: textAt(edge, ['target']) ?? '',
    branch: typeof branch === 'string' || typeof branch === 'boolean' ? String(branch) : '',
    offset: edge.offset,
  };
}

function textAt(node: Node, path: readonly string[]): string | undefined {
  const value = valueAt(node, path);
  return typeof value === 'string' ? value : undefined;
}

function valueAt(node: Node, path: readonly string[]): unknown {
  const found = findNodeAtLocation(node, [...path]);
  return found && getNodeValue(found);
}
