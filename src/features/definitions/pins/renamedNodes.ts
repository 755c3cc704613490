// Which nodes have got another id between two texts of a definition. Pure.
import type { DefinitionText } from '../../../definition/definitionText.ts';

type Renamed = readonly (readonly [from: string, to: string])[];

/** None where more than names has changed in the graph: then it isn't known which node is which. */
export function findRenamed(before: DefinitionText, after: DefinitionText): Renamed {
  if (before.nodes.length !== after.nodes.length) return [];
  const renamed = new Map<string, string>();
  for (const [index, node] of before.nodes.entries()) {
    const now = after.nodes[index];
    if (now?.type !== node.type) return [];
    if (now.id !== node.id) renamed.set(node.id, now.id);
  }
  const isRenamed = [...renamed].every(([from, to]) => isTaken(before, from, to) && isTaken(after, to, from));
  return isRenamed && renamed.size > 0 && sameEdges(before, after, renamed) ? [...renamed] : [];
}

function isTaken({ byId }: DefinitionText, taken: string, free: string): boolean {
  return byId.has(taken) && !byId.has(free);
}

function sameEdges(
  before: DefinitionText,
  after: DefinitionText,
  renamed: ReadonlyMap<string, string>,
): boolean {
  const now = (id: string): string => renamed.get(id) ?? id;
  return (
    before.edges.length === after.edges.length &&
    before.edges.every(({ source, target }, index) => {
      const edge = after.edges[index];
      return edge?.source === now(source) && edge.target === now(target);
    })
  );
}
