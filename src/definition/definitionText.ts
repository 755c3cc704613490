import type { Node } from 'jsonc-parser';
import { type JsonObject, stringifyJson } from '../base/json.ts';
import { type DefinitionFormat, formatOfMembers, definitionFormats } from '../domain/definitionFormat.ts';
import { type DefinitionEdge, readConnections, readEdge } from './definitionEdges.ts';
import { DefinitionNode } from './definitionNode.ts';
import { findAt } from './jsonNodes.ts';
import { type JsonTextReading, readJsonText } from './jsonText.ts';
import { createGraph, type Graph, loopsOf, reach } from './graph.ts';
import type { DefinitionFault } from './definitionFault.ts';
import { locate, locateName } from './places.ts';
import { endOf, type Range } from './range.ts';

/**
 * One text of a definition, which may be unfinished, and its contents: parsed once, each part on first access. What has the wrong shape is
 * left out. In every format a node has an id here, which edges and node runs use.
 */
export class DefinitionText {
  readonly text: string;
  readonly #givenFormat: DefinitionFormat | undefined;
  #knownReading: JsonTextReading | undefined;
  #knownNodes: readonly DefinitionNode[] | undefined;
  #knownById: ReadonlyMap<string, DefinitionNode> | undefined;
  #knownEdges: readonly DefinitionEdge[] | undefined;
  #knownOutgoing: ReadonlyMap<string, readonly DefinitionEdge[]> | undefined;
  #knownIncoming: ReadonlyMap<string, readonly DefinitionEdge[]> | undefined;
  #knownGraph: Graph<DefinitionNode> | undefined;

  /** `format`: default: the one that the text has the form of. */
  constructor(text: string, format?: DefinitionFormat) {
    this.text = text;
    this.#givenFormat = format;
  }

  /** For a definition that doesn't come from a text. */
  static of(definition: JsonObject, format?: DefinitionFormat): DefinitionText {
    return new DefinitionText(stringifyJson(definition), format);
  }

  get format(): DefinitionFormat {
    return this.#givenFormat ?? formatOfMembers((member) => this.#typeOf(member));
  }

  /** Why it isn't JSON, and what can still be read of it. */
  get reading(): JsonTextReading {
    return (this.#knownReading ??= readJsonText(this.text));
  }

  /** The objects in "nodes", in text order. */
  get nodes(): readonly DefinitionNode[] {
    const { format, text } = this;
    return (this.#knownNodes ??= this.#objectsIn('nodes').map(
      (node) => new DefinitionNode(text, node, format),
    ));
  }

  /** The nodes that have an id, in text order. Of several with the same id, only the first one counts. */
  get byId(): ReadonlyMap<string, DefinitionNode> {
    if (this.#knownById !== undefined) return this.#knownById;
    const byId = new Map<string, DefinitionNode>();
    for (const node of this.nodes) if (node.id !== '' && !byId.has(node.id)) byId.set(node.id, node);
    return (this.#knownById = byId);
  }

  get edges(): readonly DefinitionEdge[] {
    return (this.#knownEdges ??= this.#readEdges());
  }

  outgoing(id: string): readonly DefinitionEdge[] {
    this.#knownOutgoing ??= Map.groupBy(this.edges, ({ source }) => source);
    return this.#knownOutgoing.get(id) ?? [];
  }

  incoming(id: string): readonly DefinitionEdge[] {
    this.#knownIncoming ??= Map.groupBy(this.edges, ({ target }) => target);
    return this.#knownIncoming.get(id) ?? [];
  }

  /** The ids of the nodes that lead to this one, itself not included unless it's in a cycle. */
  before(id: string): ReadonlySet<string> {
    return reach(this.#sources(id), this.#sources);
  }

  /** The ids of the nodes that this one leads to. */
  after(id: string): ReadonlySet<string> {
    return reach(this.#targets(id), this.#targets);
  }

  /** The ids of the nodes in the body of a for-each, with those of loops inside. */
  body(loopId: string): ReadonlySet<string> {
    return new Set([...this.byId.keys()].filter((id) => loopsOf(id, this.#graph).includes(loopId)));
  }

  /** The for-eaches whose bodies contain the node, innermost first. */
  loopsOf(id: string): readonly DefinitionNode[] {
    return loopsOf(id, this.#graph)
      .toReversed()
      .flatMap((loopId) => this.byId.get(loopId) ?? []);
  }

  /** The node whose object the offset is in, or else the first one with a part on the line of the offset. */
  nodeAt(
    offset: number,
    among: readonly DefinitionNode[] = [...this.byId.values()],
  ): DefinitionNode | undefined {
    const around = among.find((node) => node.offset <= offset && offset <= endOf(node));
    if (around !== undefined) return around;
    const lineStart = offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
    const lineEnd = this.text.indexOf('\n', offset);
    return among.find((node) => endOf(node) > lineStart && (lineEnd === -1 || node.offset < lineEnd));
  }

  /** The place of a path, or of a part of the string there; that of its nearest existing parent if it doesn't exist. */
  locate(path: readonly string[], within?: Range): Range {
    const { root } = this.reading;
    return root === undefined ? { offset: 0, length: 1 } : locate(this.text, root, path, within);
  }

  /** The place of a fault. */
  locateFault({ path, within, isName = false }: DefinitionFault): Range {
    const { root } = this.reading;
    return isName && root !== undefined ? locateName(this.text, root, path) : this.locate(path, within);
  }

  get #graph(): Graph<DefinitionNode> {
    return (this.#knownGraph ??= createGraph([...this.byId.values()], this.edges));
  }

  readonly #sources = (id: string): readonly string[] => this.incoming(id).map(({ source }) => source);
  readonly #targets = (id: string): readonly string[] => this.outgoing(id).map(({ target }) => target);

  #typeOf(member: string): string | undefined {
    const { root } = this.reading;
    return root && findAt(root, [member])?.type;
  }

  #readEdges(): readonly DefinitionEdge[] {
    const { root } = this.reading;
    if (definitionFormats[this.format].edgesMember === 'edges') return this.#objectsIn('edges').map(readEdge);
    return root === undefined ? [] : readConnections(root);
  }

  #objectsIn(list: string): readonly Node[] {
    const { root } = this.reading;
    const found = root && findAt(root, [list]);
    return found?.type === 'array' ? (found.children ?? []).filter(({ type }) => type === 'object') : [];
  }
}
