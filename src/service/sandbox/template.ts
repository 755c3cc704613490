import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';
import { evaluateToText, evaluateToValue } from './expression.ts';
import { maximumCharacters } from './limits.ts';

/** Literal texts and the expressions between them, in order. */
export interface Template {
  /** The texts before, between and after the expressions: one more than there are expressions. */
  readonly texts: readonly string[];
  readonly expressions: readonly string[];
  /** True for a single `{{ … }}` with nothing else around it, which becomes the value itself. */
  readonly isValue: boolean;
}

const open = '{{';
const close = '}}';

/** Parses a template. Each `{{` ends at the next `}}`, with at least one character in between. */
export function readTemplate(text: string): Template {
  const texts: string[] = [];
  const expressions: string[] = [];
  let rest = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, rest)) {
    const end = text.indexOf(close, start + open.length + 1);
    if (end === -1) break;
    texts.push(text.slice(rest, start));
    expressions.push(text.slice(start + open.length, end));
    rest = end + close.length;
  }
  texts.push(text.slice(rest));
  return { texts, expressions, isValue: expressions.length === 1 && texts.join('').trim() === '' };
}

/** Fills all strings in a value. A string that consists of a single `{{ … }}` becomes the value itself. */
export async function render(value: JsonValue, data: JsonObject): Promise<JsonValue> {
  if (typeof value === 'string') {
    const template = readTemplate(value);
    const [expression] = template.expressions;
    return template.isValue && expression !== undefined
      ? evaluateToValue(expression, data)
      : fill(template, data);
  }
  if (isJsonArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(await render(item, data));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await render(member, data)]);
  return Object.fromEntries(members);
}

/** Fills a text; all inserted values become text. */
export async function renderText(text: string, data: JsonObject): Promise<string> {
  return fill(readTemplate(text), data);
}

async function fill({ texts, expressions, isValue }: Template, data: JsonObject): Promise<string> {
  let filled = isValue ? '' : (texts[0] ?? '');
  for (const [index, expression] of expressions.entries()) {
    const json = await evaluateToText(expression, data);
    const value = json.startsWith('"') ? parseJson(json) : undefined;
    filled += typeof value === 'string' ? value : json;
    if (!isValue) filled += texts[index + 1] ?? '';
    if (filled.length > maximumCharacters)
      throw new NodeError('output_too_large', 'The filled text has more than 1 MiB.');
  }
  return filled;
}
