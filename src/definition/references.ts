// What an expression reads of its root, such as `nodes.total.sum`: found in its syntax tree, without evaluating it.
import { isJsonArray, isJsonObject, type JsonObject } from '../base/json.ts';
import type { Range } from './range.ts';

/** The names of the functions that JSONata brings along, without their "$". */
export const builtInFunctions: ReadonlySet<string> = new Set(
  [
    'abs append assert average base64decode base64encode boolean ceil clone contains count decodeUrl',
    'decodeUrlComponent distinct each encodeUrl encodeUrlComponent error eval exists filter floor',
    'formatBase formatInteger formatNumber fromMillis join keys length lookup lowercase map match max',
    'merge millis min not now number pad parseInteger power random reduce replace reverse round shuffle',
    'sift single sort split spread sqrt string substring substringAfter substringBefore sum toMillis trim',
    'type uppercase zip',
  ].flatMap((names) => names.split(' ')),
);

/** A member that is read, and where the expression names it, in UTF-16 units. */
export interface ReferenceStep extends Range {
  readonly name: string;
}

/** The members from the root, the outermost first; those behind a function or a wildcard aren't known. */
export type Reference = readonly [ReferenceStep, ...ReferenceStep[]];

/** Members of a syntax tree that are evaluated on something other than the value around them. */
const inner = new Set(['stages', 'predicate', 'group', 'terms', 'pattern', 'update', 'delete']);

/** `tree`: JSONata's syntax tree. In the order of the text. */
export function findReferences(expression: string, tree: unknown): readonly Reference[] {
  const found: Reference[] = [];
  /** What is evaluated on the root, and what is evaluated elsewhere, where only `$$` leads back to it. */
  const open: { readonly part: unknown; readonly isRoot: boolean }[] = [{ part: tree, isRoot: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, isRoot } = next;
    if (Array.isArray(part)) for (const item of part) open.push({ part: item, isRoot });
    if (!isJsonObject(part)) continue;
    const { type, steps, ...others } = part;
    for (const [name, value] of Object.entries(others))
      open.push({ part: value, isRoot: isRoot && !inner.has(name) });
    if (type !== 'path' || !isJsonArray(steps)) continue;
    const reference = readReference(expression, steps.filter(isJsonObject), isRoot);
    if (reference !== undefined) found.push(reference);
    for (const [index, step] of steps.entries()) open.push({ part: step, isRoot: isRoot && index === 0 });
  }
  return found.sort(([left], [right]) => left.offset - right.offset);
}

/** Members of a syntax tree that bind a variable of this name. */
const binders = ['focus', 'index'] as const;

/**
 * Returns the variables and functions, with their "$", that are read but defined neither by JSONata nor by the expression. In the order of
 * the text.
 */
export function findUnbound(tree: unknown): readonly ReferenceStep[] {
  const bound = new Set<unknown>(builtInFunctions);
  const read: ReferenceStep[] = [];
  const open: { readonly part: unknown }[] = [{ part: tree }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part } = next;
    if (Array.isArray(part)) for (const item of part) open.push({ part: item });
    if (!isJsonObject(part)) continue;
    const { type, value, position, lhs = null, arguments: given = null } = part;
    for (const binder of binders) bound.add(part[binder]);
    const parameters = type === 'lambda' && isJsonArray(given) ? given : [];
    for (const each of type === 'bind' ? [lhs] : parameters) if (isJsonObject(each)) bound.add(each['value']);
    if (type === 'variable' && typeof value === 'string' && typeof position === 'number')
      read.push({ name: `$${value}`, offset: position - value.length - 1, length: value.length + 1 });
    for (const item of Object.values(part)) open.push({ part: item });
  }
  return read
    .filter(({ name }) => name !== '$' && name !== '$$' && !bound.has(name.slice(1)))
    .sort((left, right) => left.offset - right.offset);
}

function readReference(
  expression: string,
  steps: readonly JsonObject[],
  isRoot: boolean,
): Reference | undefined {
  const [first] = steps;
  const isVariable = first?.['type'] === 'variable';
  const isAtRoot = isVariable ? first['value'] === '$' || (isRoot && first['value'] === '') : isRoot;
  if (!isAtRoot) return undefined;
  const named: ReferenceStep[] = [];
  for (const step of isVariable ? steps.slice(1) : steps) {
    const { type, value, position } = step;
    if (type !== 'name' || typeof value !== 'string' || typeof position !== 'number') break;
    named.push({ name: value, ...placeOf(expression, value, position) });
  }
  const [root, ...others] = named;
  return root && [root, ...others];
}

const quotationMarks: readonly string[] = ['`', '"', "'"];

/** Whether a name, as it's written in an expression, has quotation marks. A plain one can't begin with such a mark. */
export function isQuoted(written: string): boolean {
  return quotationMarks.includes(written.charAt(0));
}

/** JSONata's position is the end of the name, with its quotation marks if it has some. */
function placeOf(expression: string, name: string, end: number): Range {
  if (!isQuoted(name) && expression.endsWith(name, end) && name !== '')
    return { offset: end - name.length, length: name.length };
  const mark = expression.charAt(end - 1);
  let start = expression.lastIndexOf(mark, end - 2);
  // Only texts have escapes.
  while (start > 0 && mark !== '`' && isEscaped(expression, start))
    start = expression.lastIndexOf(mark, start - 1);
  return { offset: Math.max(0, start), length: end - Math.max(0, start) };
}

function isEscaped(expression: string, at: number): boolean {
  let begin = at;
  while (expression.charAt(begin - 1) === '\\') begin -= 1;
  return (at - begin) % 2 === 1;
}

/** Returns how an expression writes the name of a member; undefined for a name that it can't write. */
export function writeName(name: string): string | undefined {
  const isPlain =
    /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !['and', 'or', 'in', 'true', 'false', 'null'].includes(name);
  if (isPlain) return name;
  return name.includes('`') ? undefined : `\`${name}\``;
}
