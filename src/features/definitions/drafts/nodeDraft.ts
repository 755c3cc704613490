// What is sent to execute a node, or what leads to it, on the data of the execution that a definition shows. Pure.
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { NodeView } from '../../../model/runs/nodeView.ts';
import { formats } from '../../../domain/definitionFormat.ts';

/** The selected iteration of each loop around the node in the text, outermost first, from 0. */
export function iterationOf(
  text: DefinitionText,
  nodes: ReadonlyMap<string, NodeView>,
  nodeId: string,
): readonly number[] {
  const own = nodes.get(nodeId)?.loops ?? [];
  const all = [...nodes.values()].flatMap(({ loops }) => loops);
  return text
    .loopsOf(nodeId)
    .toReversed()
    .map(({ id }, depth) => {
      const ofLoop = own.find((loop) => loop.nodeId === id) ?? all.find((loop) => loop.nodeId === id);
      return (ofLoop ?? own[depth])?.index ?? 0;
    });
}

/** What a node asks of another server. */
export interface NodeRequest {
  readonly nodeId: string;
  /** "GET https://…", with templates in it. */
  readonly request: string;
}

const requestTypes: ReadonlySet<string> = new Set(
  Object.values(formats).map(({ requestType }) => requestType),
);

/** The requests of HTTP nodes, of each format. */
export function requestsOf(nodes: readonly DefinitionNode[]): readonly NodeRequest[] {
  return nodes.flatMap((node) => {
    if (!requestTypes.has(node.type)) return [];
    const textOf = (name: string): string | undefined => {
      const value = node.parameters?.[name] ?? node.config(name);
      return typeof value === 'string' ? value : undefined;
    };
    return [{ nodeId: node.id, request: `${textOf('method') ?? 'GET'} ${textOf('url') ?? ''}` }];
  });
}
