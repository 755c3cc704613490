// What stands at an offset among the parameters of a node: the name of one, or the value of one. The text may be unfinished. Pure.
import { getLocation } from 'jsonc-parser';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { findAt } from '../../../definition/jsonNodes.ts';
import type { TextSpan } from '../../../definition/jsonString.ts';
import type { NodeParameter } from '../../../domain/nodeParameters.ts';

export interface ParameterPlace {
  readonly kind: 'name' | 'value';
  readonly node: DefinitionNode;
  /** The name of the parameter; that of the item's list where a value is one of several. */
  readonly name: string;
  /** Of the parameters around it, from the outside in, without the positions in lists; of a value with its own name. */
  readonly path: readonly string[];
  /** What is replaced, with its quotation marks. */
  readonly span: TextSpan;
  /** The names that stand beside it. */
  readonly others: ReadonlySet<string>;
  /** Whether a name has its colon. */
  readonly hasColon: boolean;
}

export function findParameterPlace(definition: DefinitionText, offset: number): ParameterPlace | undefined {
  const { text, reading, nodes } = definition;
  if (reading.root === undefined) return undefined;
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const node = nodes.findLast((each) => each.offset < offset);
  if (node === undefined || path[0] !== 'nodes' || path[2] !== 'parameters' || path.length < 4)
    return undefined;
  const isInside = previousNode !== undefined && previousNode.offset < offset;
  const span =
    isInside && offset <= previousNode.offset + previousNode.length
      ? { start: previousNode.offset, end: previousNode.offset + previousNode.length }
      : wordAround(text, offset);
  const object = findAt(reading.root, path.slice(0, -1).map(String));
  const names = (object?.children ?? []).flatMap(({ children: [name] = [] }) => {
    const value: unknown = name?.value;
    return typeof value === 'string' && name?.offset !== span.start ? [value] : [];
  });
  const around = path.slice(3, isAtPropertyKey ? -1 : undefined);
  return {
    kind: isAtPropertyKey ? 'name' : 'value',
    name: String(path.findLast((segment) => typeof segment === 'string')),
    node,
    path: around.filter((segment) => typeof segment === 'string'),
    span,
    others: new Set(names),
    hasColon: /^\s*:/.test(text.slice(span.end, span.end + 100)),
  };
}

function wordAround(text: string, offset: number): TextSpan {
  const before = /[\w-]*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0].length ?? 0;
  const after = /^[\w-]*/.exec(text.slice(offset, offset + 100))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}

/** Returns the members of the parameter at the path, or the parameters themselves for an empty path. */
export function membersAt(
  parameters: readonly NodeParameter[],
  path: readonly string[],
): readonly NodeParameter[] {
  const [first, ...rest] = path;
  if (first === undefined) return parameters;
  return membersAt(parameters.find(({ name }) => name === first)?.type.members ?? [], rest);
}

export function parameterAt(
  parameters: readonly NodeParameter[],
  path: readonly string[],
): NodeParameter | undefined {
  return membersAt(parameters, path.slice(0, -1)).find(({ name }) => name === path.at(-1));
}
