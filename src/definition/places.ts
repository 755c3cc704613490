// Finds the place of a fault in a definition's text. Services write paths in several ways.
import type { Node } from 'jsonc-parser';
import { childOf, findAt } from './jsonNodes.ts';
import { JsonString } from './jsonString.ts';
import { endOf, type Range, rangeOf } from './range.ts';

/** Returns the segments of `nodes.0.config`, `nodes[0].config`, `$.nodes[0]` or the JSON pointer `/nodes/0/config`. */
export function readPath(path: string): readonly string[] {
  if (path.startsWith('/'))
    return path
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.split(/[./[\]"']+/).filter((part) => part !== '' && part !== '$');
}

/**
 * Returns the place of a path; if it doesn't exist, that of its nearest existing parent. A path may begin with "body", or with a node's
 * id in place of `nodes` and an index. `within`: a part of the string's value.
 */
export function locate(text: string, root: Node, path: readonly string[], within?: Range): Range {
  const [first, ...others] = path;
  const isMember = first === undefined || childOf(root, first) !== undefined;
  if (first === 'body' && !isMember) return locate(text, root, others, within);
  const named = isMember ? undefined : findNamed(root, first);
  const { node, isWhole } = named === undefined ? walk(root, path) : walk(named, others);
  if (isWhole && within !== undefined && node.type === 'string') {
    const part = { start: within.offset, end: endOf(within) };
    const { start, end } = new JsonString(text, node.offset).toSpan(part);
    return { offset: start, length: end - start };
  }
  if (named !== undefined && node === named) return rangeOf(findAt(named, ['id']) ?? node);
  return labelOf(text, node);
}

/** The place of the name of a member; that of its nearest existing parent if it doesn't exist. */
export function locateName(text: string, root: Node, path: readonly string[]): Range {
  const name = findAt(root, path)?.parent?.children?.[0];
  return name?.type === 'string' ? rangeOf(name) : locate(text, root, path);
}

function walk(root: Node, path: readonly string[]): { readonly node: Node; readonly isWhole: boolean } {
  let node = root;
  for (const segment of path) {
    const next = childOf(node, segment);
    if (next === undefined) return { node, isWhole: false };
    node = next;
  }
  return { node, isWhole: true };
}

function findNamed(root: Node, id: string): Node | undefined {
  const nodes = findAt(root, ['nodes']);
  return nodes?.type === 'array'
    ? nodes.children?.find((node) => childOf(node, 'id')?.value === id)
    : undefined;
}

/** Marks the name of a list or an object, or all of one that has no name and is short, because marking a large one wouldn't help. */
function labelOf(text: string, node: Node): Range {
  if (node.children === undefined) return rangeOf(node);
  const name = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  if (name !== undefined) return rangeOf(name);
  const isOneLine = node.parent !== undefined && !/[\r\n]/.test(text.slice(node.offset, endOf(node)));
  return isOneLine ? rangeOf(node) : { offset: node.offset, length: 1 };
}
