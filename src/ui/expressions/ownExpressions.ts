// Expressions in the language of n8n. A plain one names a path into an item of an execution's record; n8n alone evaluates the others.
import * as vscode from 'vscode';
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import { type DefinitionFormat, definitionFormats } from '../../domain/definitionFormat.ts';
import type { ScopeSnapshot } from './scopeSnapshot.ts';

/** The items that were recorded; undefined where none were. */
export interface RecordedItems {
  /** What the node was given. */
  readonly input: JsonValue | undefined;
  /** What a node gave. */
  readonly outputOf: (name: string) => JsonValue | undefined;
}

type OwnValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly message: string };

/** What an expression of a product's own language gave; undefined for one in the language of the service. */
export function evaluateOwnExpression(
  format: DefinitionFormat,
  expression: string,
  { of, outputs }: ScopeSnapshot,
): OwnValue | undefined {
  const { hasOwnExpressions, product } = definitionFormats[format];
  if (!hasOwnExpressions || !isOwnExpression(expression)) return undefined;
  const outputOf = (name: string): JsonValue | undefined => outputs.get(name)?.output;
  const read = readOwnExpression(expression, { input: of?.input, outputOf });
  if (read.kind === 'value') return read;
  const message = vscode.l10n.t(
    "{0}'s expressions can't be evaluated here, except for paths such as {1}.",
    product,
    '$json.name',
  );
  return { kind: 'failed', message };
}

export type PlainExpression =
  { readonly kind: 'value'; readonly value: JsonValue } | { readonly kind: 'notPlain' };

// A quoted name ends at its own quotation mark, and has no escapes: what is computed isn't plain.
const head =
  /^(?:\$json|\$(?<input>input)|\$\((?<quote>["'])(?<node>(?:(?!\k<quote>)[^\\])+)\k<quote>\)|\$node\[(?<quoteOld>["'])(?<nodeOld>(?:(?!\k<quoteOld>)[^\\])+)\k<quoteOld>\]\.json)/;
const access = /^\.(?:(?<which>item|first\(\)|last\(\))\.json|(?<all>all\(\)))/;
const step =
  /^(?:\.(?<name>[A-Za-z_$][\w$]*)|\[(?<quote>["'])(?<quoted>(?:(?!\k<quote>)[^\\])*)\k<quote>\]|\[(?<index>\d{1,6})\])/;

/** `expression`: with or without `={{ }}`. A member that isn't there is null, as in n8n's editor. */
export function readOwnExpression(expression: string, recorded: RecordedItems): PlainExpression {
  const code = expression
    .trim()
    .replace(/^=/, '')
    .replace(/^\s*\{\{([^]*)\}\}\s*$/, '$1')
    .trim();
  const begin = head.exec(code);
  if (begin === null) return { kind: 'notPlain' };
  const { input, node, nodeOld } = begin.groups ?? {};
  let rest = code.slice(begin[0].length);
  const name = node ?? nodeOld;
  const items = itemsIn(name === undefined ? recorded.input : recorded.outputOf(name));
  let value: JsonValue = items?.[0] ?? null;
  if (input !== undefined || node !== undefined) {
    const chosen = access.exec(rest);
    if (chosen === null) return { kind: 'notPlain' };
    rest = rest.slice(chosen[0].length);
    const { which, all } = chosen.groups ?? {};
    if (all !== undefined) value = (items ?? []).map((json) => ({ json }));
    else if (which === 'last()') value = items?.at(-1) ?? null;
  }
  if (items === undefined) return { kind: 'notPlain' };
  while (rest !== '') {
    const next = step.exec(rest);
    if (next === null) return { kind: 'notPlain' };
    rest = rest.slice(next[0].length);
    const { name: member, quoted, index } = next.groups ?? {};
    value = index === undefined ? memberOf(value, member ?? quoted ?? '') : itemOf(value, Number(index));
  }
  return { kind: 'value', value };
}

/** True for what only this language has, which isn't that of the debugger's own conditions. */
export function isOwnExpression(expression: string): boolean {
  return /^\s*=|\{\{|\$\(|\$(json|binary|input|node|items|itemIndex|runIndex|today|vars|env|workflow|execution|prevNode|jmespath)\b/.test(
    expression,
  );
}

/** Of several inputs, the first is read. Items of branches aren't one list. */
function itemsIn(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined || !isJsonArray(value)) return undefined;
  const [first = null] = value;
  const list = isJsonArray(first) ? first : value;
  return list.map((item) =>
    isJsonObject(item) && item['json'] !== undefined && item['binary'] !== undefined ? item['json'] : item,
  );
}

function memberOf(value: JsonValue, name: string): JsonValue {
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function itemOf(value: JsonValue, index: number): JsonValue {
  return isJsonArray(value) ? (value[index] ?? null) : null;
}
