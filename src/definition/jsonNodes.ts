// The members of parsed JSON text. Of several with one name, the last one counts, as it does where the text is parsed to values.
import type { Node } from 'jsonc-parser';

/** Returns the value at a path of names and of positions in lists; undefined if there's none. */
export function findAt(root: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of path) {
    node = childOf(node, segment);
    if (node === undefined) return undefined;
  }
  return node;
}

export function childOf(node: Node, segment: string): Node | undefined {
  if (node.type === 'array') return /^\d{1,9}$/.test(segment) ? node.children?.[Number(segment)] : undefined;
  return node.type === 'object'
    ? node.children?.findLast(({ children: [name, value] = [] }) => name?.value === segment && value)
        ?.children?.[1]
    : undefined;
}

/** Returns the members of an object, each once, in text order; none of anything else. */
export function membersOf(node: Node | undefined): readonly (readonly [name: Node, value: Node])[] {
  const members = new Map<unknown, readonly [name: Node, value: Node]>();
  for (const { children: [name, value] = [] } of node?.type === 'object' ? (node.children ?? []) : []) {
    if (name === undefined || value === undefined) continue;
    members.delete(name.value);
    members.set(name.value, [name, value]);
  }
  return [...members.values()];
}
