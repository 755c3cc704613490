// The expressions in the nodes' configs: their syntax, and what they read.
import * as l10n from '@vscode/l10n';
import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts';
import { type FoundFault, nameNode } from './definitionFault.ts';
import { type ExpressionText, ReferenceCheck } from './checkReferences.ts';
import type { ExpressionReader, SyntaxFault } from './expressions.ts';
import type { ConfiguredNode, Graph } from './graph.ts';
import { isNodeType, syntaxKind } from './nodeTypes.ts';
import { findExpressions } from './templates.ts';

/** A text of a node's config, which is an expression or a template. */
interface ConfigText {
  readonly node: ConfiguredNode;
  readonly text: string;
  readonly path: readonly string[];
  readonly isExpression: boolean;
}

/** Yields the texts of nodes whose types the local service knows; how other types write expressions isn't known. */
function* listTexts(nodes: readonly ConfiguredNode[]): Generator<ConfigText> {
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'trigger' || !isNodeType(node.type)) continue;
    for (const [member, value] of Object.entries(node.config)) {
      const isExpression = typeof value === 'string' && syntaxKind(node.type, member, true) === 'expression';
      for (const { text, path } of textsIn(value, ['nodes', String(index), 'config', member]))
        yield { node, text, path, isExpression };
    }
  }
}

function* textsIn(
  value: JsonValue,
  path: readonly string[],
): Generator<{ readonly text: string; readonly path: readonly string[] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, String(index)]);
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* textsIn(item, [...path, name]);
  }
}

/** `graph`: undefined if it has faults. */
export function checkExpressions(
  nodes: readonly ConfiguredNode[],
  graph: Graph<ConfiguredNode> | undefined,
  read: ExpressionReader,
): readonly FoundFault[] {
  const references = new ReferenceCheck(nodes, graph);
  const check = (source: ExpressionText, expression: string): readonly FoundFault[] => {
    const found = read(expression);
    return found.fault ? [syntaxFault(source, found.fault)] : references.check(source, found);
  };
  return [...listTexts(nodes)].flatMap(({ node, text, path, isExpression }) => {
    if (isExpression) return check({ node, path, start: 0 }, text);
    const closed = [...findExpressions(text)].filter(({ isClosed }) => isClosed);
    return [
      ...closed.flatMap(({ start, end }) => check({ node, path, start }, text.slice(start, end))),
      ...checkMarks(node, text, path),
    ];
  });
}

function syntaxFault(
  { node, path, start }: ExpressionText,
  { reason, offset, length }: SyntaxFault,
): FoundFault {
  const message = l10n.t(
    'the expression in "{0}" of {1} isn\'t valid: {2}',
    path.at(-1) ?? '',
    nameNode(node.id),
    reason,
  );
  return { path, message, rule: 'nodeType', within: { offset: start + offset, length } };
}

/** What begins an expression in other services, and how it's written here. */
const foreign: readonly (readonly [marks: RegExp, written: string])[] = [
  [/\{%.*?%\}/s, '{% … %}'],
  [/<%.*?%>/s, '<% … %>'],
  [/(?<![\w$])\$\{\{.*?\}\}/s, '${{ … }}'],
];

/** `path`: of the text in the definition. */
function checkMarks(node: ConfiguredNode, text: string, path: readonly string[]): readonly FoundFault[] {
  const warn = (message: string, offset: number, length: number): FoundFault => ({
    path,
    message,
    rule: 'nodeType',
    isWarning: true,
    within: { offset, length },
  });
  const subject = [path.at(-1) ?? '', nameNode(node.id)] as const;
  const unclosed = [...findExpressions(text)].find(({ isClosed }) => !isClosed);
  if (unclosed) {
    const message = l10n.t('"{0}" of {1} has "{2}" without "{3}", so it stays text', ...subject, '{{', '}}');
    return [warn(message, unclosed.start - 2, 2)];
  }
  if (/^\s*=\s*\{\{/.test(text)) {
    const message = l10n.t('"{0}" of {1} begins with "=", which stays in the text', ...subject);
    return [warn(message, text.indexOf('='), 1)];
  }
  for (const [marks, written] of foreign) {
    const found = marks.exec(text);
    if (!found) continue;
    const message = l10n.t(
      '"{0}" of {1} has "{2}", which stays text; an expression is written as "{3}"',
      ...subject,
      written,
      '{{ … }}',
    );
    return [warn(message, found.index, found[0].length)];
  }
  return [];
}
